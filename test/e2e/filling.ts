import { WorkflowHasIssuesError } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import type { Sandbox } from '../../sandbox';
import { runWorkflow } from '../workflow/harness';
import { PDF } from '../workflow/panel/person/learner';
import { freshRecords } from '../workflow/panel/person/records';
import { canaries, SECRETS } from './canaries';

/** Operation parameters that the service accepts. */
export interface Filling {
  resource: string;
  parameters: INodeParameters;
  /** Operations that create the necessary records, in execution order. */
  before: readonly Filling[];
  secrets: readonly string[];
  /** Method and path of the first request that the operation sends. */
  sends: string;
}

/** Input items of all test operations. */
export const rows: IDataObject[] = [{ [SECRETS]: canaries }];

/** Returns the method and path of a request, as in the sandbox's journal. */
export const sentAs = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** Resets the service and creates the records that the parameters require. */
export async function prepare(
  sandbox: Sandbox,
  { resource, before }: Pick<Filling, 'resource' | 'before'>,
): Promise<IDataObject[]> {
  sandbox.control.reset();
  await freshRecords(sandbox, resource);
  const made: IDataObject[] = [];
  for (const { parameters } of before) made.push(...(await run(sandbox, parameters)).records);
  return made;
}

export async function run({ baseUrl, credentials }: Sandbox, parameters: INodeParameters) {
  const { merchantId, apiKey } = credentials.test;
  const { items, error } = await runWorkflow({
    rows,
    files: rows.map(() => ({ data: PDF })),
    parameters,
    credential: { environment: 'test', baseUrl, merchantId, authMethod: 'apiKey', apiKey },
    onError: 'continueRegularOutput',
  }).catch((error: unknown) => {
    // n8n refuses a node with an empty required parameter.
    if (error instanceof WorkflowHasIssuesError) return { items: [], error };
    throw error;
  });
  const failed = items.map(({ json }) => json.error as IDataObject | undefined).find((one) => one !== undefined);
  const said = error?.message ?? asText(failed?.message);
  return { said, records: items.map(({ json }) => json) };
}
