// All lint rules of components: those of eslint.config.js, and those that need types or a compiler. oxlint, which has the
// first for all other files, does not read components. `npm run test:all` alone checks them, in place of eslint.config.js.
import tseslint from 'typescript-eslint';
import svelteConfig from '../svelte.config.js';

// Its parser then gives TypeScript the same text of a component whether it is linted or imported. Without it, each component
// begins a new program, which takes five times as long. It is read when the parser is loaded.
globalThis.process.env['SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK'] = '1';
const { default: svelte } = await import('eslint-plugin-svelte');
const { default: withoutTypes } = await import('./eslint.config.js');

export default tseslint.config(
  ...withoutTypes,
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
      'svelte/no-unused-svelte-ignore': 'error',
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
