import { defineConfig, type EnvironmentOptions } from 'vite';
import { licences } from './scripts/licences.ts';
import { sqliteBinary } from './scripts/sqlite-binary.ts';

// Programs of the processes and threads that a server starts, as one CommonJS file each: Node starts it in two thirds of the
// processor time that it takes for modules and chunks.
const programs: Readonly<Record<string, string>> = {
  'row-worker': 'src-main/executor/worker/worker-main.ts',
  'file-parser': 'src-main/executor/worker/parser-main.ts',
  'sheet-reader': 'src-main/executor/worker/sheet-reader-main.ts',
  'storage-thread': 'src-main/storage/sqlite/store-thread-main.ts',
  'question-thread': 'src-main/team/queries/question-thread-main.ts',
};

const environmentOf = (name: string, path: string): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      input: { [name]: path },
      output: {
        format: 'cjs',
        // SES needs strict code.
        strict: true,
        codeSplitting: false,
        // A third of a bundle is documentation of its packages, which the engine would read at each start.
        comments: { jsdoc: false },
        entryFileNames: '[name].cjs',
      },
    },
  },
});

/** Vite's names of environments have no hyphens. */
const environments = Object.fromEntries(
  Object.entries(programs).map(([name, path]) => [name.replaceAll('-', '_'), environmentOf(name, path)]),
);

export default defineConfig({
  plugins: [licences({ fileName: 'licences.json', further: 'dist/licences.json' }), sqliteBinary()],
  environments,
  builder: {
    async buildApp(builder) {
      // One after the other: each adds its packages to the list of licences.
      for (const name of Object.keys(environments)) await builder.build(builder.environments[name]!);
    },
  },
});
