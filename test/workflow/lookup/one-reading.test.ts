import { credentialFor, SandboxCredential } from '../../credential';
import { capturedSales, refund, sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';

const sandbox = sandboxForFile({ seed: false });

test('reads the credential once per run, so that the base URL and token match', async () => {
  const rows = capturedSales(sandbox, 5);
  const readings = jest.spyOn(SandboxCredential.prototype, 'getDecrypted');
  const { items, error } = await runWorkflow({ rows, parameters: refund, credential: credentialFor(sandbox) });
  expect(error).toBeUndefined();
  expect(items).toHaveLength(5);
  expect(readings).toHaveBeenCalledTimes(1);
});
