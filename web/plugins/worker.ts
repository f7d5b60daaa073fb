import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc, type Plugin } from 'vite';

const WORKER = 'service-worker.js';
const FONT = /-latin-wght-normal-[\w-]+\.woff2$/;

function publicFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
}

/** What the first page needs: the page itself, the files that it names, and the fonts of Western Europe. */
export function shellOf(html: string, files: string[]): string[] {
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((found) => found[1]!);
  return files.filter((path) => path === '/' || named.includes(path) || FONT.test(path));
}

/** Builds the service worker and tells it which files there are. Its version follows from their content. */
export function serviceWorker(source: string): Plugin {
  let folder = '';
  return {
    name: 'tablee-worker',
    enforce: 'post',
    apply: 'build',
    configResolved(config) {
      folder = config.publicDir;
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('the page must be built before its worker');
        const html = String(page.source);
        const given = publicFiles(folder);
        const built = Object.keys(bundle).filter((name) => name !== 'index.html');
        const files = ['/', ...[...built, ...given].map((name) => `/${name}`).sort()];
        const hash = createHash('sha256').update(html).update(files.join());
        for (const name of given) hash.update(readFileSync(join(folder, name)));
        const code = readFileSync(source, 'utf8');
        const { code: plain } = await transformWithOxc(hash.update(code) && code, source);
        const values = { VERSION: hash.digest('hex').slice(0, 12), SHELL: shellOf(html, files), FILES: files };
        const head = Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
        // A classic worker has no exports.
        this.emitFile({
          type: 'asset',
          fileName: WORKER,
          source: head.join('') + plain.replace(/^export \{\};?$/m, ''),
        });
      },
    },
  };
}
