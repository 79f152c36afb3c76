// Must be the first import.
import { filesEntered, stopReporting, type EnteredFile } from './entered-files';
import { texts } from '../../contract/repository';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';

/** Maximum number of files that a plain refund may enter. */
const MOST_FILES = 40;
/** Maximum number of climbs on the way through these files. */
const MOST_CLIMBS = 15;

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);
const page = texts.find(({ path }) => path === 'docs/explanation/architecture.md')?.text ?? '';
/** Folders from the lowest layer to the highest. */
const folders = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, folder = '']) => folder);

afterAll(stopReporting);

/** Height of a file's layer. Files outside the folders are above all layers. */
const heightOf = (path: string) => (path.includes('/') ? folders.indexOf(path.split('/')[0] ?? '') : folders.length);

/** A climb is a file that a run first enters after a file of a lower layer. */
const climbsOf = (files: EnteredFile[]) =>
  files.filter(({ path }, index) => heightOf(path) > heightOf(files[index - 1]?.path ?? path));

async function walkOfRefund(): Promise<EnteredFile[]> {
  const [first = {}, second = {}] = capturedSales(sandbox, 2);
  const run = async (row: typeof first) => await bench.run(refund, [row], { looksUp: true });
  // The first run loads the code and fills the caches of the process.
  await run(first);
  return await filesEntered(async () => {
    const { items } = await run(second);
    expect(items.map(({ json }) => json.rcode)).toEqual(['000']);
  });
}

test(`runs a plain refund in at most ${MOST_FILES} files of the package, with at most ${MOST_CLIMBS} climbs`, async () => {
  const walk = await walkOfRefund();
  const climbs = climbsOf(walk).map(({ path }) => path);
  const listed = walk.map(
    ({ path, functions }) => `${climbs.includes(path) ? '^ ' : ''}${path}: ${functions.join(' ')}`,
  );
  expect(folders.length).toBeGreaterThan(10);
  expect(listed.length > MOST_FILES || climbs.length > MOST_CLIMBS ? listed : []).toEqual([]);
});
