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

test('what is cited anywhere is in the repository', () => {
  const nowhere = texts.flatMap(({ path, text }) => broken(text, path).map((cited) => `${path}: ${cited}`));
  expect(nowhere).toEqual([]);
});

test.each([
  ['docs/service.md#lists'],
  ['docs/n8n.md#memory'],
  ['[security.md](security.md#ai-agents)'],
  ['openapi.yaml#refund and interface/openapi.yaml#Invoice'],
  ['interface/README.md'],
  ['https://example.com/elsewhere/facts.md'],
])('%s is followed', (text) => {
  expect(broken(text)).toEqual([]);
});

// In two parts each, so that this file cites none of them itself.
test.each([
  ['a document that is not here', 'facts', '.md'],
  ['one outside of the repository', '../shared/interface', '.md'],
  ['a heading that is not there', 'docs/service', '.md#list-of-wishes'],
  ['an operation that is not described', 'openapi', '.yaml#payEverybody'],
  ['a module that is not here', 'nothing-of-this-name', '.ts'],
  ['the number of a section', 'section', ' 2.13'],
])('%s is found', (_what, first, second) => {
  expect(broken(`/** The longest label (${first}${second}). */`)).toEqual([first + second]);
});

test('a citation is found that goes on in the next line of a comment', () => {
  const number = '2.13';
  expect(broken(`   * when it is made (section\n   * ${number}).`)).toEqual([`section ${number}`]);
});

test('a document names files and folders that are there', () => {
  const [folder, file] = ['nodes/PaymentPlatform', 'run.ts'];
  expect(broken(`\`${folder}/resources\` and \`dist/nodes\``, 'README.md')).toEqual([]);
  expect(broken(`\`${folder}/nowhere/${file}\``, 'README.md')).toContain(`\`${folder}/nowhere/${file}\``);
});
