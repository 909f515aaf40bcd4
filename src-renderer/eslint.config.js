// Lint rules of the pages: those of the whole, and what Svelte and the layers ask for beside them.
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import { habits, sizes } from '../eslint.config.js';
import { language } from '../scripts/language-rules.mjs';
import svelteConfig from '../svelte.config.js';

export default tseslint.config(
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [...tseslint.configs.recommended],
    languageOptions: { parserOptions: { tsconfigRootDir: import.meta.dirname } },
    plugins: { language },
    rules: habits,
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: {
        extraFileExtensions: ['.svelte'],
        parser: tseslint.parser,
        svelteConfig,
      },
    },
  },
  { files: ['**/*.ts'], rules: sizes },
  {
    files: ['**/*.svelte'],
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      // Props are declared together, whether or not one of them is bound.
      'prefer-const': 'off',
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
      // Every address of ours is a path of the server that the page came from.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/src-main/**'], message: 'Pages know the main process by #contract alone.' },
          ],
        },
      ],
    },
  },
);
