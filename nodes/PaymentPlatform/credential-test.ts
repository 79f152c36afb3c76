import type { ICredentialsDecrypted, ICredentialTestFunctions, INode, INodeCredentialTestResult } from 'n8n-workflow';

import { load } from './load';

/** The test of a credential belongs to no node of a workflow. */
const NO_NODE: INode = { id: '', name: '', type: 'paymentPlatform', typeVersion: 1, position: [0, 0], parameters: {} };

/** The test of the credential, which both nodes offer: n8n takes the first node that uses the credential. */
export async function paymentPlatformApiTest(
  this: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const { testCredential } = await load({ getNode: () => NO_NODE });
  return await testCredential(this, data);
}
