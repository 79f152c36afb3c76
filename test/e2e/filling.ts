import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import type { Sandbox } from '../../sandbox';
import { runWorkflow } from '../workflow/harness';
import { freshRecords } from '../workflow/panel/person/records';
import { canaries, SECRETS } from './canaries';

/** A panel of an operation, filled so that the service does what it asks for. */
export interface Filling {
  resource: string;
  parameters: INodeParameters;
  /** The fillings that make what it needs, in the order in which they run. */
  before: readonly Filling[];
  /** Paths of the secret parameters in it that hold a canary. */
  secrets: readonly string[];
  /** Its first request, as method and path. */
  sends: string;
}

/** The input items of all of them. */
export const rows: IDataObject[] = [{ [SECRETS]: canaries }];

/** A request as it is told from others: its method and path. */
export const sentAs = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** Puts the service to where a filling can do its work. @returns the items of what ran before. */
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

/** Runs the node in this process. @returns what went wrong, in the words of the first failure, and the items. */
export async function run({ baseUrl, credentials }: Sandbox, parameters: INodeParameters) {
  const { merchantId, apiKey } = credentials.test;
  const { items, error } = await runWorkflow({
    rows,
    parameters,
    credential: { environment: 'test', baseUrl, merchantId, authMethod: 'apiKey', apiKey },
    onError: 'continueRegularOutput',
  });
  const failed = items.map(({ json }) => json.error as IDataObject | undefined).find((one) => one !== undefined);
  const said = error?.message ?? asText(failed?.message);
  return { said, records: items.map(({ json }) => json) };
}
