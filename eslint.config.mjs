/**
 * ESLint rules for shipped files. The first part repeats n8n's verification rules. The second part adds stricter rules.
 */
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

import { style } from './eslint.style.mjs';
const shippedTypeScript = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const shippedJson = ['package.json', 'nodes/**/*.json', 'credentials/**/*.json'];
const builtJavaScript = ['dist/**/*.js'];

const verification = [
  {
    files: [...shippedTypeScript, ...shippedJson, ...builtJavaScript],
    extends: [n8nCommunityNodesPlugin.configs.recommended],
    plugins: { 'n8n-nodes-base': n8nNodesBase },
    rules: { 'no-console': 'error' },
  },
  { files: ['package.json'], rules: { ...n8nNodesBase.configs.community.rules } },
  {
    files: ['credentials/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.credentials.rules,
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
      'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
    },
  },
  {
    files: ['nodes/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.nodes.rules,
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
      'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
    },
  },
  { files: shippedJson, languageOptions: { parser: tseslint.parser } },
];

// The community-nodes plugin accepts imports of every devDependency, so a node could import a test library.
const restrictedImports = {
  patterns: [
    {
      regex: '^(?!n8n-workflow$|luxon$|node:crypto$|\\.{1,2}(/|$))',
      message: 'Shipped code may import n8n-workflow, luxon, node:crypto and relative paths only.',
    },
    {
      regex: '^(\\.\\./)+(sandbox|host|test|bench|examples|interface)(/|$)',
      allowTypeImports: true,
      message: 'This folder is not shipped: only its types may be imported.',
    },
  ],
};

// n8n sets luxon's default time zone to the zone of the workflow that ran last, which may not exist.
const restrictedDates = [
  {
    selector: "CallExpression[callee.object.name='DateTime'][callee.property.name=/^(now|local)$/]",
    message: 'Call now() from fields/kinds/date.',
  },
  {
    selector: "CallExpression[callee.object.name='DateTime'][callee.property.name=/^from/][arguments.length=1]",
    message: 'Give the date a time zone.',
  },
];
const restrictedZone = { selector: "MemberExpression[property.name='getTimezone']", message: 'Call timeZoneOf().' };

const additional = [
  ...style.map((part) => ({ ...part, files: shippedTypeScript })),
  {
    files: shippedTypeScript,
    extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', restrictedImports],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...restrictedDates, restrictedZone],
    },
  },
  { files: ['**/n8n/read-parameter.ts'], rules: { 'no-restricted-syntax': ['error', ...restrictedDates] } },
];

export default defineConfig(
  globalIgnores(['node_modules/', 'host/', '.data/', 'coverage/']),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  ...additional,
  ...verification,
);
