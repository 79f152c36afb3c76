import { brokenCitations, headings, INTERFACE, namedParts } from './citations';
import { paths, read, texts } from './repository';

const known = new Map<string, Set<string>>();

const citable = {
  paths: new Set(paths),
  marksOf: (path: string) => {
    const marks = known.get(path) ?? (path === INTERFACE ? namedParts(read(path)) : headings(read(path)));
    known.set(path, marks);
    return marks;
  },
};

const broken = (text: string, path = 'nodes/PaymentPlatform/example.ts') => brokenCitations(path, text, citable);

test('every citation has a target in the repository', () => {
  const nowhere = texts.flatMap(({ path, text }) => broken(text, path).map((cited) => `${path}: ${cited}`));
  expect(nowhere).toEqual([]);
});

test.each([
  ['service.md#lists'],
  ['n8n.md#memory'],
  ['docs/explanation/security.md#ai-agents'],
  ['openapi.yaml#refund and interface/openapi.yaml#Invoice'],
  ['interface/README.md'],
  ['https://example.com/elsewhere/facts.md'],
])('%s is a valid citation', (text) => {
  expect(broken(text)).toEqual([]);
});

// Splits each citation, so that the check doesn't find it here.
test.each([
  ['a document that is not here', 'facts', '.md'],
  ['one outside of the repository', '../shared/interface', '.md'],
  ['a page in another folder', 'docs/tutorial/service', '.md'],
  ['a heading that is not there', 'service', '.md#list-of-wishes'],
  ['an operation that is not described', 'openapi', '.yaml#payEverybody'],
  ['a module that is not here', 'nothing-of-this-name', '.ts'],
  ['the number of a section', 'section', ' 2.13'],
])('%s is a broken citation', (_what, first, second) => {
  expect(broken(`/** The longest label (${first}${second}). */`)).toEqual([first + second]);
});

test('a citation across two lines of a comment is found', () => {
  const number = '2.13';
  expect(broken(`   * when it is made (section\n   * ${number}).`)).toEqual([`section ${number}`]);
});

test("a document's links resolve from its own folder", () => {
  expect(broken('[Lists](service.md#lists) and [Sources](#sources)', 'docs/reference/service.md')).toEqual([]);
  const [page, heading] = ['(service.md#lists)', '(#lists)'];
  expect(broken(`[Lists]${page} and [Lists]${heading}`, 'README.md')).toEqual([`]${page}`, `]${heading}`]);
});

test('files and folders named in a document must exist', () => {
  const [folder, file] = ['nodes/PaymentPlatform', 'run.ts'];
  expect(broken(`\`${folder}/resources\` and \`dist/nodes\``, 'README.md')).toEqual([]);
  expect(broken(`\`${folder}/nowhere/${file}\``, 'README.md')).toContain(`\`${folder}/nowhere/${file}\``);
});

test('the index of docs/ links to every page, and each page is a tutorial, a guide, reference or an explanation', () => {
  const pages = paths.filter((path) => path.startsWith('docs/') && path.endsWith('.md') && path !== 'docs/README.md');
  const index = read('docs/README.md');
  expect(pages.filter((path) => !index.includes(`](${path.slice('docs/'.length)})`))).toEqual([]);
  expect(pages.filter((path) => !/^docs\/(tutorial|how-to|reference|explanation)\//.test(path))).toEqual([]);
});
