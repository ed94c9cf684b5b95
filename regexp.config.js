// Expressions of the source must not backtrack beyond linear time: callers choose what they are run on.
import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

export default [
  {
    files: ['**/*.ts'],
    languageOptions: { parser },
    linterOptions: { noInlineConfig: true },
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      // A sticky expression is tried at one place only.
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true, ignorePartial: false }],
    },
  },
];
