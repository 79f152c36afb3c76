import { credentialFor, SandboxCredential } from '../../credential';
import { capturedSales, refund, sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';

const sandbox = sandboxForFile({ seed: false });

test('a run reads its credential once: what is sent has base URL and token of the same reading', async () => {
  const rows = capturedSales(sandbox, 5);
  const readings = jest.spyOn(SandboxCredential.prototype, 'getDecrypted');
  const { items, error } = await runWorkflow({ rows, parameters: refund, credential: credentialFor(sandbox) });
  expect(error).toBeUndefined();
  expect(items).toHaveLength(5);
  expect(readings).toHaveBeenCalledTimes(1);
});
