import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { licences } from './scripts/licences.ts';

// The app's pages, as the server hands them out. Nothing is inlined, because the pages' content security policy lets
// only files of the server's own be used.
export default defineConfig({
  root: 'src-renderer',
  plugins: [
    // The first screen loads the styles of all screens. Five characters tell its 250 components apart, and pack better.
    svelte({ compilerOptions: { cssHash: ({ hash, css }) => `s${hash(css).slice(0, 5)}` } }),
    // The pages are built after the server, and show the licences of both.
    licences({ fileName: 'licences.json', further: 'dist/licences.json' }),
  ],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // One style sheet for all screens: Vite does not load one again that failed once, and the screen would stay bare.
    cssCodeSplit: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // The contract is types and a few tables; what is not used of it, zod above all, need not be loaded.
      treeshake: { moduleSideEffects: (id) => !id.includes('/src-main/') && !id.includes('/zod/') },
    },
  },
});
