// Lint rules of components that need types: oxlint, which has them for all other files, does not read components. They take
// six times as long as all other rules together, so `npm run test:all` alone checks them.
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import svelteConfig from '../svelte.config.js';

export default tseslint.config(
  // Their comments switch off rules that are not here.
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  { files: ['**/*.svelte'], extends: [...tseslint.configs.recommendedTypeCheckedOnly] },
  ...svelte.configs.base,
  {
    files: ['**/*.svelte'],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
        parser: tseslint.parser,
        svelteConfig,
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
      // In eslint.config.js, too.
      'prefer-const': 'off',
      // svelte-check knows the types of components; to this linter they are all `any`.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
