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
 * Loads the code of both nodes on the first call, because most nodes that n8n loads at startup never run. Loads and
 * caches all code together. Otherwise, an update of the package could mix old and new files (n8n.md#loading-a-package).
 * @throws NodeOperationError if files are missing, for example while n8n replaces the package.
 */
export async function load(context: { getNode: () => INode }): Promise<typeof everything> {
  try {
    return (code ??= await import('./runtime'));
  } catch (error) {
    // Keeps only the first line of the error, without the list of files that required the missing file.
    const [reason] = String(error).split('\n');
    throw new NodeOperationError(context.getNode(), NOT_LOADED, {
      description: `Nothing was sent. If the node is being updated, try again in a minute. Otherwise, restart n8n. (${reason})`,
    });
  }
}

/**
 * Runs the node. If On Error is set to continue, returns failed items instead of throwing an error. After an error, n8n
 * would output the input items as successful (n8n.md#items-and-errors). `run` converts its own failures to items. This
 * function handles code that fails to load and defects in `run`, so it can't use the code that describes failures.
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

/** Failure of an item after a defect in the node. The node may already have sent requests. */
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

/**
 * Returns the JSON of a failed item. If `error` is the only field, n8n moves the item to the error output and adds the
 * data of the input item.
 */
const forPerson = (error: Failure, hasErrorOutput: boolean): IDataObject =>
  hasErrorOutput ? { error } : { what_happened: error.message, error };

const forModel = ({ message, description, outcome }: Failure): IDataObject => ({
  result: `${message}. ${description} Do not call again. Tell the user what happened, and let the user decide.`,
  outcome,
});

/** Placeholder for the node in an error message, because n8n tests a credential outside a workflow. */
const NO_NODE: INode = { id: '', name: '', type: 'paymentPlatform', typeVersion: 1, position: [0, 0], parameters: {} };

/**
 * Tests the credential. Both nodes declare the test, because n8n runs the test of the first node that uses the
 * credential.
 */
export async function paymentPlatformApiTest(
  this: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const { testCredential } = await load({ getNode: () => NO_NODE });
  return await testCredential(this, data);
}
