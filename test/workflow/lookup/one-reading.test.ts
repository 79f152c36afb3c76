import { SandboxCredential } from '../../credential';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);

test('reads the credential once per run, so that the base URL and token match', async () => {
  const rows = capturedSales(sandbox, 5);
  const readings = jest.spyOn(SandboxCredential.prototype, 'getDecrypted');
  const { items, error } = await bench.run(refund, rows);
  expect(error).toBeUndefined();
  expect(items).toHaveLength(5);
  expect(readings).toHaveBeenCalledTimes(1);
});
