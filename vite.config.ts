import { defineConfig } from 'vite';
import { licences } from './scripts/licences.ts';
import { smallMimeDb } from './scripts/small-mime-db.ts';
import { sqliteBinary } from './scripts/sqlite-binary.ts';

// Bundles that need no node_modules beside them: the command line and the desktop app (each holds the whole server),
// and the row worker, the file parser and the reader of spreadsheets, programs of their own because they run in processes that may touch nothing else.
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
        'row-worker': 'src-main/executor/worker/worker-main.ts',
        'file-parser': 'src-main/executor/worker/parser-main.ts',
        'sheet-reader': 'src-main/executor/worker/sheet-reader-main.ts',
        'storage-thread': 'src-main/storage/sqlite/store-thread-main.ts',
        'question-thread': 'src-main/team/question-thread-main.ts',
      },
      external: ['electron'],
      // Koa's `depd` evaluates a constant text of its own to keep a function's arity; nothing of ours does.
      checks: { eval: false },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true, external: ['electron'], target: 'node' },
});
