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
 * Loads the code of both nodes when n8n first calls either of them. n8n loads all nodes when it starts, and most never
 * run. All code is loaded together and kept, because an update of the package would otherwise mix old and new files
 * (n8n.md#loading-a-package).
 * @throws NodeOperationError if files are missing, for example while n8n replaces them.
 */
export async function load(context: { getNode: () => INode }): Promise<typeof everything> {
  try {
    return (code ??= await import('./runtime'));
  } catch (error) {
    // Leaves out the stack of files that required the missing file.
    const [reason] = String(error).split('\n');
    throw new NodeOperationError(context.getNode(), NOT_LOADED, {
      description: `Nothing was sent. If the node is being updated, try again in a minute. Otherwise, restart n8n. (${reason})`,
    });
  }
}

/**
 * Runs the node. Throws nothing if On Error is set to continue, because n8n would then pass the input items on as
 * success (n8n.md#items-and-errors). `run` already turns failures into items, so this function handles only code that
 * fails to load and defects in `run`. The code that describes failures may be missing here.
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

/** After a defect, the node can't tell what it sent. */
const FAILED = {
  outcome: 'unknown',
  message: 'An internal error occurred in the node, so the outcome is unknown',
  description: 'Money may have moved. Look up the record before you send the request again.',
};

const notLoaded = (error: unknown) => ({
  outcome: 'notSent',
  message: NOT_LOADED,
  description: error instanceof NodeOperationError ? String(error.description) : 'Nothing was sent.',
});

type Failure = typeof FAILED;

/** n8n moves an item to the error output if it contains only an error, and adds the data of the input item. */
const forPerson = (error: Failure, hasErrorOutput: boolean): IDataObject =>
  hasErrorOutput ? { error } : { what_happened: error.message, error };

const forModel = ({ message, description, outcome }: Failure): IDataObject => ({
  result: `${message}. ${description} Do not call again. Tell the user what happened, and let the user decide.`,
  outcome,
});

/** Placeholder, because a credential test doesn't belong to a node of a workflow. */
const NO_NODE: INode = { id: '', name: '', type: 'paymentPlatform', typeVersion: 1, position: [0, 0], parameters: {} };

/** Tests the credential. Both nodes offer the test, because n8n uses the first node that requires the credential. */
export async function paymentPlatformApiTest(
  this: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const { testCredential } = await load({ getNode: () => NO_NODE });
  return await testCredential(this, data);
}
