import { executedFiles, stopCounting } from './executed-files';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';

/** Maximum number of files that the node may execute for a plain refund. */
const MOST_FILES = 40;

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);
afterAll(stopCounting);

test(`runs a plain refund in at most ${MOST_FILES} files of the package`, async () => {
  const [first = {}, second = {}] = capturedSales(sandbox, 2);
  const run = async (row: typeof first) => await bench.run(refund, [row], { looksUp: true });
  // The first run loads the code and fills the caches of the process.
  await run(first);
  const files = await executedFiles(async () => {
    const { items } = await run(second);
    expect(items.map(({ json }) => json.rcode)).toEqual(['000']);
  });
  const listed = files.map(({ path, lines, functions }) => `${path}: ${functions.length} functions, ${lines} lines`);
  expect(listed.length > MOST_FILES ? listed : []).toEqual([]);
});
