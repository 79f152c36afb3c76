import {
  NodeOperationError,
  type ICredentialsDecrypted,
  type ICredentialTestFunctions,
  type INode,
  type INodeCredentialTestResult,
} from 'n8n-workflow';

import type * as everything from './code';

let code: typeof everything | undefined;

/**
 * The code of both nodes, loaded by the first call of either: n8n loads all nodes when it starts, and most never run.
 * All at once, and kept: when n8n replaces the package meanwhile, nothing of the new one is mixed with the old
 * (docs/n8n.md#loading-a-package).
 * @throws NodeOperationError when the files are not there, as while n8n replaces them.
 */
export async function load(context: { getNode: () => INode }): Promise<typeof everything> {
  try {
    return (code ??= await import('./code'));
  } catch (error) {
    // Without the files that asked for it.
    const [reason] = String(error).split('\n');
    throw new NodeOperationError(context.getNode(), 'The code of this node could not be loaded', {
      description: `Nothing was sent. If the node is being updated, try again in a minute; otherwise restart n8n. (${reason})`,
    });
  }
}

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
