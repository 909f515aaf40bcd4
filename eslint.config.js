// Lint rules: correctness with types, sizes that make a reader stop, and the habits that the layers rely on.
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const sizes = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 3],
  complexity: ['error', 12],
  'max-depth': ['error', 3],
};

const pureSyntax = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Take a Clock.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take a Clock.' },
  {
    selector: "ThrowStatement > NewExpression[callee.name='Error']",
    message: 'Throw an AppError or call invariant().',
  },
];

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'coverage', 'test/fixtures'] },
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: {
        projectService: true,
        extraFileExtensions: ['.svelte'],
        parser: tseslint.parser,
        svelteConfig,
      },
    },
  },
  { files: ['src-main/**/*.ts', 'src-renderer/**/*.ts'], rules: sizes },
  {
    files: ['src-renderer/**/*.svelte'],
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      // svelte-check knows the types of components; to this linter they are all `any`.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Props are declared together, whether or not one of them is bound.
      'prefer-const': 'off',
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
      // Every address of ours is a path of the server that the page came from.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['src-renderer/**'],
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
  {
    files: ['src-main/{domain,executor,services}/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'fetch'],
      'no-restricted-syntax': ['error', ...pureSyntax],
    },
  },
  // Vitest's describe/it take long callbacks by nature; a test may be as long as the story it tells.
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-floating-promises': 'error' } },
);
