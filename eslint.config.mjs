/** ESLint rules. `verification` repeats n8n's rules for shipped files, and `additional` adds stricter rules. */
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const shippedTypeScript = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const shippedJson = ['package.json', 'nodes/**/*.json', 'credentials/**/*.json'];
const builtJavaScript = ['dist/**/*.js'];

const SOURCES = ['**/*.{ts,js,mjs,cjs}'];
const WORDS = /^[.]?[a-z0-9]+(-[a-z0-9]+)*([.][a-z0-9]+)*$/;
/** n8n requires file names to match class names. */
const N8N_FILES = /^[A-Z][A-Za-z0-9]*[.](node|credentials)[.](ts|js)$/;
const N8N_FOLDERS = ['PaymentPlatform'];

const fileName = {
  meta: { type: 'suggestion', schema: [], messages: { named: '"{{part}}" is not lower-case words with dashes.' } },
  create: (context) => ({
    Program(node) {
      const parts = context.filename.slice(context.cwd.length).split(/[\\/]/).filter(Boolean);
      const isNamed = (part, index) =>
        WORDS.test(part) || (index === parts.length - 1 ? N8N_FILES.test(part) : N8N_FOLDERS.includes(part));
      const part = parts.find((one, index) => !isNamed(one, index));
      if (part !== undefined) context.report({ node, messageId: 'named', data: { part } });
    },
  }),
};

/** Style rules for braces, imports and file names. */
const style = [
  {
    files: SOURCES,
    ignores: builtJavaScript,
    plugins: { style: { rules: { 'file-name': fileName } } },
    rules: { curly: ['error', 'multi'], 'no-duplicate-imports': 'error', 'style/file-name': 'error' },
  },
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: { '@typescript-eslint/no-import-type-side-effects': 'error' },
  },
];

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

// Globals of the Node.js version that runs ESLint and the scripts, without the helpers that plugins add (__extends).
const globalNames = Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__'));
const nodeGlobals = Object.fromEntries(globalNames.map((name) => [name, 'readonly']));
const ignores = ['nodes/**', 'credentials/**', 'dist/**'];

/** Rules for files outside the published package. */
const tooling = [
  { files: SOURCES, ignores, extends: [js.configs.recommended], rules: { eqeqeq: 'error' } },
  {
    files: ['**/*.ts'],
    ignores,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: { '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }] },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    ignores,
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: nodeGlobals },
  },
  { files: ['**/*.{js,cjs}'], ignores, languageOptions: { sourceType: 'commonjs' } },
];

export default defineConfig(
  globalIgnores(['.data/', 'coverage/', 'interface/types.d.ts']),
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  ...tooling,
  ...style,
  ...additional,
  ...verification,
);
