import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';
import { latinFonts } from './plugins/fonts.ts';
import { rulesPages } from './plugins/rules.ts';
import { serviceWorker } from './plugins/worker.ts';

const server = 'http://127.0.0.1:8000';

export default defineConfig({
  base: '/',
  plugins: [rulesPages(), latinFonts(), svelte(), svelteTesting(), serviceWorker('worker/service-worker.ts')],
  build: {
    outDir: '../src/tablee/server/static',
    emptyOutDir: true,
    // Browsers that know light-dark(): older ones would need every colour twice.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // Somebody who only starts the site does not need the bundler's timings.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: {
    host: '127.0.0.1',
    fs: { allow: ['..'] },
    proxy: {
      // The server compares origin and host: it must see the host that the browser sees.
      '/api': { target: server, changeOrigin: false },
      '/healthz': server,
      '/ws': { target: server, ws: true, changeOrigin: false },
    },
  },
  test: {
    environment: 'jsdom',
    // Every file gets globals of its own in a worker that goes on: to start jsdom anew for each takes longer than the tests.
    pool: 'vmThreads',
    maxWorkers: '100%',
    // A busy machine may take long; only a test that fails waits for it.
    testTimeout: 30_000,
    setupFiles: ['plugins/browser.ts'],
    include: ['src/**/*.test.ts', 'plugins/**/*.test.ts'],
  },
});
