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

const NOT_LOADED = 'The code of this node could not be loaded';

let code: typeof everything | undefined;

/**
 * The code of both nodes, loaded by the first call of either: n8n loads all nodes when it starts, and most never run.
 * All at once, and kept: when n8n replaces the package meanwhile, nothing of the new one is mixed with the old
 * (n8n.md#loading-a-package).
 * @throws NodeOperationError when the files are not there, as while n8n replaces them.
 */
export async function load(context: { getNode: () => INode }): Promise<typeof everything> {
  try {
    return (code ??= await import('./runtime'));
  } catch (error) {
    // Without the files that asked for it.
    const [reason] = String(error).split('\n');
    throw new NodeOperationError(context.getNode(), NOT_LOADED, {
      description: `Nothing was sent. If the node is being updated, try again in a minute; otherwise restart n8n. (${reason})`,
    });
  }
}

/**
 * Runs the node. With On Error set to continue nothing is thrown, for n8n would pass the input items on as success
 * (n8n.md#items-and-errors). `run` turns failures into items by itself; this is for code that can't be loaded, and for a
 * mistake in `run`. The code that words failures may be missing here.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const node = context.getNode();
  const isTool = node.type.endsWith('Tool');
  let isLoaded = false;
  const runCode = async () => {
    const { declared, run } = await load(context);
    isLoaded = true;
    return await run(context, declared);
  };
  if (!isTool && !context.continueOnFail()) return await runCode();
  return await runCode().catch((error: unknown) => {
    const failure = isLoaded ? FAILED : notLoaded(error);
    const json = isTool ? forModel(failure) : forPerson(failure, node.onError === 'continueErrorOutput');
    return [context.getInputData().map((_, item) => ({ json, pairedItem: { item } }))];
  });
}

/** The node can't say what it sent before its own mistake. */
const FAILED = {
  outcome: 'unknown',
  message: 'The node failed, so the outcome is unknown',
  description: 'Money may have moved. Look the record up before you send it once more.',
};

const notLoaded = (error: unknown) => ({
  outcome: 'notSent',
  message: NOT_LOADED,
  description: error instanceof NodeOperationError ? String(error.description) : 'Nothing was sent.',
});

type Failure = typeof FAILED;

/** n8n moves an item with nothing but an error to the error output, and adds the data of the input item. */
const forPerson = (error: Failure, hasErrorOutput: boolean): IDataObject =>
  hasErrorOutput ? { error } : { what_happened: error.message, error };

const forModel = ({ message, description, outcome }: Failure): IDataObject => ({
  result: `${message}. ${description} Do not call again. Tell the person what happened and let them decide.`,
  outcome,
});

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
