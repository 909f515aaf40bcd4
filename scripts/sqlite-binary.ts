// Puts SQLite's binary for this platform into the build, and has the package load it from there. A bundle has no
// node_modules beside it, where the package would look. Node 24 and newer have SQLite built in and load nothing.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import type { Plugin } from 'vite';

type BinaryFinder = { path(folder: string): string };

const loaderId = '\0sqlite-binary';
const fileName = 'native/sqlite.node';

export function sqliteBinary(): Plugin {
  return {
    name: 'sqlite-binary',
    enforce: 'pre',
    resolveId: (id) => (id === 'node-gyp-build' ? loaderId : undefined),
    load: (id) =>
      id === loaderId
        ? `import { createRequire } from 'node:module';
           const load = createRequire(import.meta.url);
           // The program that loads this stands in the build's folder, or one below it.
           export default () => {
             try { return load('./${fileName}'); } catch (error) {
               if (error?.code !== 'MODULE_NOT_FOUND') throw error;
               return load('../${fileName}');
             }
           };`
        : undefined,
    generateBundle: {
      // Vite takes assets out of a server's bundle before.
      order: 'post',
      async handler() {
        const require = createRequire(import.meta.url);
        const folder = dirname(require.resolve('@photostructure/sqlite/package.json'));
        const loader = createRequire(join(folder, 'package.json'))('node-gyp-build') as BinaryFinder;
        this.emitFile({ type: 'asset', fileName, source: await readFile(loader.path(folder)) });
      },
    },
  };
}
