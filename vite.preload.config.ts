import { defineConfig } from 'vite';

// The window's preload: CommonJS in one file, since a sandboxed preload can load nothing but Electron.
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      input: { preload: 'src-main/desktop/preload.ts' },
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
  ssr: { noExternal: true, external: ['electron'], target: 'node' },
});
