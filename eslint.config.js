// Lint rules: correctness with types, sizes that make a reader stop, and the habits that the layers rely on.
import tseslint from 'typescript-eslint';
import { language } from './scripts/language-rules.mjs';

export const sizes = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 3],
  complexity: ['error', 12],
  'max-depth': ['error', 3],
};

export const habits = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/restrict-template-expressions': 'off',
  '@typescript-eslint/require-await': 'off',
  'language/comments': 'error',
  'language/names': 'error',
  'no-console': 'error',
  eqeqeq: 'error',
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
  { ignores: ['node_modules', 'dist', 'release', 'coverage', 'test-results', 'test/fixtures'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { language },
    rules: habits,
  },
  { files: ['src-main/**/*.ts'], rules: sizes },
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
