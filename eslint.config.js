// Lint rules: correctness, sizes that make a reader stop, and the habits that the layers rely on. Rules that need types are
// in .oxlintrc.json: they take a tenth of the time there. src-renderer/eslint.typed.config.js has them for components.
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
  '@typescript-eslint/no-explicit-any': 'error',
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
    extends: [...tseslint.configs.recommended],
    languageOptions: { parserOptions: { tsconfigRootDir: import.meta.dirname } },
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
);
