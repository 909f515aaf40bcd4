import { defineConfig } from 'vite';
import { chunkGroups } from './scripts/chunk-groups.ts';
import { licences } from './scripts/licences.ts';
import { smallMimeDb } from './scripts/small-mime-db.ts';
import { sqliteBinary } from './scripts/sqlite-binary.ts';

// Bundles that need no node_modules beside them: the command line and the desktop app (each holds the whole server).
// Programs of other processes and threads: vite.worker.config.ts.
export default defineConfig({
  plugins: [licences({ fileName: 'licences.json' }), smallMimeDb(), sqliteBinary()],
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: {
        cli: 'src-main/cli/cli-main.ts',
        desktop: 'src-main/desktop/main.ts',
      },
      external: ['electron'],
      // Koa's `depd` evaluates a constant text of its own to keep a function's arity; nothing of ours does.
      // The groups below decide the chunk of a module that is imported both ways.
      checks: { eval: false, ineffectiveDynamicImport: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        codeSplitting: chunkGroups(),
      },
    },
  },
  ssr: { noExternal: true, external: ['electron'], target: 'node' },
});
