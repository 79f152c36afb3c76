import {
  NodeOperationError,
  type ICredentialsDecrypted,
  type ICredentialTestFunctions,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeCredentialTestResult,
  type INodeExecutionData,
} from 'n8n-workflow';

import type * as everything from './runtime';

const NOT_LOADED = 'n8n could not load the code of this node';

let code: typeof everything | undefined;

/**
 * Loading all files together prevents a mix of old and new files during a package update (n8n.md#loading-a-package).
 * @throws NodeOperationError if files are missing, for example while n8n replaces the package.
 */
export async function load(context: { getNode: () => INode }): Promise<typeof everything> {
  try {
    return (code ??= await import('./runtime'));
  } catch (error) {
    // The other lines only list the files that required the missing file.
    const [reason] = String(error).split('\n');
    throw new NodeOperationError(context.getNode(), NOT_LOADED, {
      description: `Nothing was sent. If the node is being updated, wait until the update is complete. Otherwise, restart n8n. (${reason})`,
    });
  }
}

/**
 * With On Error set to continue, returns failed items instead of throwing, because n8n would otherwise output the input
 * items as successful (n8n.md#items-and-errors).
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const node = this.getNode();
  const isTool = node.type.endsWith('Tool');
  let isLoaded = false;
  const runCode = async () => {
    const { declared, run } = await load(this);
    isLoaded = true;
    return await run(this, declared);
  };
  if (!isTool && !this.continueOnFail()) return await runCode();
  return await runCode().catch((error: unknown) => {
    const failure = isLoaded ? FAILED : notLoaded(error);
    const json = isTool ? forModel(failure) : forPerson(failure, node.onError === 'continueErrorOutput');
    return [this.getInputData().map((_, item) => ({ json, pairedItem: { item } }))];
  });
}

/** The node may already have sent requests when its own code fails. */
const FAILED = {
  outcome: 'unknown',
  message: 'An internal error occurred in the node, so the outcome is unknown',
  description: 'Money may have moved. Do not send the request again before you look up the record.',
};

const notLoaded = (error: unknown) => ({
  outcome: 'notSent',
  message: NOT_LOADED,
  description: error instanceof NodeOperationError ? String(error.description) : 'Nothing was sent.',
});

type Failure = typeof FAILED;

/** If `error` is the only field, n8n moves the item to the error output and adds the input data. */
const forPerson = (error: Failure, hasErrorOutput: boolean): IDataObject =>
  hasErrorOutput ? { error } : { what_happened: error.message, error };

const forModel = ({ message, description, outcome }: Failure): IDataObject => ({
  result: `${message}. ${description} Do not call again. Tell the user what happened, and let the user decide.`,
  outcome,
});

/** n8n tests credentials outside a workflow, so the error message has no real node to name. */
const NO_NODE: INode = { id: '', name: '', type: 'paymentPlatform', typeVersion: 1, position: [0, 0], parameters: {} };

/** Both nodes declare this test, because n8n uses the first node that accepts the credential. */
export async function paymentPlatformApiTest(
  this: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const { testCredential } = await load({ getNode: () => NO_NODE });
  return await testCredential(this, data);
}
