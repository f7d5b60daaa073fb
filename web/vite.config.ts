import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';
import { rulesPages } from './plugins/rules';

const server = 'http://127.0.0.1:8000';

export default defineConfig({
  base: '/',
  plugins: [rulesPages(), svelte(), svelteTesting()],
  build: {
    outDir: '../src/tablee/server/static',
    emptyOutDir: true,
    target: 'es2022',
  },
  server: {
    host: '127.0.0.1',
    fs: { allow: ['..'] },
    proxy: {
      '/api': server,
      '/healthz': server,
      '/ws': { target: server, ws: true },
    },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts', 'plugins/**/*.test.ts'],
  },
});
