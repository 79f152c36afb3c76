// Must be the first import.
import { filesEntered, stopReporting, type EnteredFile } from './entered-files';
import { texts } from '../../contract/repository';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';

/** Maximum number of files that a plain refund may enter. */
const MOST_FILES = 38;
/** Maximum number of climbs on the way through these files. */
const MOST_CLIMBS = 8;

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);
const page = texts.find(({ path }) => path === 'docs/explanation/architecture.md')?.text ?? '';
const life = page.slice(page.indexOf('## The life of a refund'), page.indexOf('## Folders'));
/** Files that the page names in parentheses. */
const described = [...life.matchAll(/\((`[^)]+`)\)/g)].flatMap(
  ([, list = '']) => list.match(/(?<=`)[\w/-]+(?=`)/g) ?? [],
);
/** Folders from the lowest layer to the highest. */
const folders = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, folder = '']) => folder);

afterAll(stopReporting);

/** Height of a file's layer. Files outside the folders are above all layers. */
const heightOf = (path: string) => (path.includes('/') ? folders.indexOf(path.split('/')[0] ?? '') : folders.length);

/** A climb is a file that a run first enters after a file of a lower layer. */
const climbsOf = (files: EnteredFile[]) =>
  files.filter(({ path }, index) => heightOf(path) > heightOf(files[index - 1]?.path ?? path));

let walk: EnteredFile[] = [];

beforeAll(async () => {
  const [first = {}, second = {}] = capturedSales(sandbox, 2);
  const run = async (row: typeof first) => await bench.run(refund, [row], { looksUp: true });
  // The first run loads the code and fills the caches of the process.
  await run(first);
  walk = await filesEntered(async () => {
    const { items } = await run(second);
    expect(items.map(({ json }) => json.rcode)).toEqual(['000']);
  });
});

test(`a plain refund enters at most ${MOST_FILES} files of the package, with at most ${MOST_CLIMBS} climbs`, () => {
  const climbs = climbsOf(walk);
  const listed = walk.map(
    (file) => `${climbs.includes(file) ? 'climbs to ' : ''}${file.path}: ${file.functions.join(' ')}`,
  );
  expect(folders.length).toBeGreaterThan(10);
  expect(walk.length > MOST_FILES || climbs.length > MOST_CLIMBS ? listed : []).toEqual([]);
});

test('the architecture page names these files in the order in which the refund enters them', () => {
  expect(walk.map(({ path }) => path.replace(/\.ts$/, ''))).toEqual(described);
});
