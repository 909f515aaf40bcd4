// Lint rules of components, which oxlint does not read, and those that Svelte has for modules with runes. All other rules
// are in .oxlintrc.json: oxlint takes a tenth of the time.
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import language from '../scripts/language-rules.mjs';
import svelteConfig from '../svelte.config.js';

export default tseslint.config(
  { files: ['**/*.svelte'], extends: [...tseslint.configs.recommended] },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: {
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
        parser: tseslint.parser,
        svelteConfig,
      },
    },
    rules: {
      // It compiles each component, half of the time of all rules: see eslint.typed.config.js.
      'svelte/no-unused-svelte-ignore': 'off',
      // Every address of ours is a path of the server that the page came from.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['**/*.svelte'],
    plugins: { language },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/src-main/**'], message: 'Pages know the main process by #contract alone.' },
          ],
        },
      ],
      'language/comments': 'error',
      'language/names': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      // Props are declared together, whether or not one of them is bound.
      'prefer-const': 'off',
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
    },
  },
);
