import tseslint from 'typescript-eslint';

const SOURCES = ['**/*.{ts,js,mjs,cjs}'];
const WORDS = /^[.]?[a-z0-9]+(-[a-z0-9]+)*([.][a-z0-9]+)*$/;
/** n8n requires file names to match class names. */
const N8N_FILES = /^[A-Z][A-Za-z0-9]*[.](node|credentials)[.](ts|js)$/;
const N8N_FOLDERS = ['PaymentPlatform', '__schema__'];

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

/** Style rules for braces, imports and file names, which both ESLint configurations share. */
export const style = [
  {
    files: SOURCES,
    plugins: { style: { rules: { 'file-name': fileName } } },
    rules: { curly: ['error', 'multi'], 'no-duplicate-imports': 'error', 'style/file-name': 'error' },
  },
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: { '@typescript-eslint/no-import-type-side-effects': 'error' },
  },
];
