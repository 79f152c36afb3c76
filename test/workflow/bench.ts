import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { JournalEntry } from '../../sandbox';
import { credentialFor } from '../credential';
import { runWorkflow, type RunInput, type RunOutput } from './harness';
import type { SandboxInUse } from './sandbox';

export { sandboxForFile, type SandboxInUse } from './sandbox';

/**
 * Creates `count` captured sales of 10.00.
 * @returns input rows for refunds of 4.00, one row per sale.
 */
export function capturedSales({ control }: SandboxInUse, count: number): IDataObject[] {
  control.addCustomers(1);
  const ids = control.addCapturedSales({ count, amountCents: 1000 });
  control.closeBatch();
  control.sendDeposits();
  return ids.map((id, row) => ({ id, amount: 4, row }));
}

export const refund: INodeParameters = {
  resource: 'transaction',
  operation: 'refund',
  pg_id: '={{ $json.id }}',
  amt_tran: '={{ $json.amount }}',
};

/** Sends failed items to the regular output. */
export const goOn = { onError: 'continueRegularOutput' } as const;
/** Sends failed items to the error output. */
export const toErrors = { onError: 'continueErrorOutput' } as const;

const isApplied = ({ applied }: JournalEntry) => applied !== null;

/** Inputs of a file's runs. Each run can override them and adds its own parameters. */
type SharedInput = Partial<Omit<RunInput, 'parameters'>> & { parameters?: object };

/** Runs the node on one empty row by default, and reads the requests that the sandbox received. */
export function benchOf(sandbox: SandboxInUse, { parameters: shared, ...given }: SharedInput = {}) {
  const input = (parameters: object = {}, rows?: IDataObject[], more: Partial<RunInput> = {}): RunInput => ({
    ...{ rows: rows ?? [{}], credential: credentialFor(sandbox), ...given },
    parameters: { ...shared, ...parameters } as INodeParameters,
    ...more,
  });
  const run = async (...of: Parameters<typeof input>): Promise<RunOutput> => await runWorkflow(input(...of));
  const sent = (operationId: string) => sandbox.control.journal({ operationId });
  const requests = (method: string) => sandbox.control.journal().filter((entry) => entry.method === method);
  return {
    input,
    run,
    runOperation: async (operation: string, parameters: object = {}, rows?: IDataObject[], more?: Partial<RunInput>) =>
      await run({ operation, ...parameters }, rows, more),
    sent,
    bodies: (operationId: string) => sent(operationId).map(({ body }) => body as IDataObject),
    applied: (operationId: string) => sent(operationId).filter(isApplied).length,
    requests,
    writes: () => sandbox.control.journal().filter((entry) => entry.method !== 'GET' && isApplied(entry)),
    /** Loses the response to an operation's first call, before or after the service applies the request. */
    lose: (operationId: string, when: 'before' | 'after' = 'after', calls: number[] | 'all' = [1]) =>
      sandbox.control.addFault({ kind: `reset_${when}_apply`, operationId, calls }),
  };
}

/** Runs the node on the given rows. By default, all runs have the same parameters. */
export function rowsBench(sandbox: SandboxInUse, given: Partial<RunInput> & Pick<RunInput, 'parameters'>) {
  const input = (rows: IDataObject[], more: Partial<RunInput> = {}): RunInput => ({
    ...{ rows, credential: credentialFor(sandbox) },
    ...given,
    ...more,
  });
  const run = async (rows: IDataObject[], parameters = given.parameters, more: Partial<RunInput> = {}) =>
    await runWorkflow(input(rows, { parameters, ...more }));
  return {
    input,
    run,
    retry: async (failed: RunOutput, ...[rows, parameters, more]: Parameters<typeof run>) =>
      await run(rows, parameters, { ...more, retryOf: failed.run }),
  };
}

/** Runs refunds of sales, one row per sale. */
export function refundBench(sandbox: SandboxInUse, given: Partial<RunInput> = {}) {
  const pathOf = (row?: IDataObject) => `/pg/refund/${row?.id as string}`;
  const sent = (row?: IDataObject) => sandbox.control.journal().filter(({ path }) => path === pathOf(row));
  const fault = (row: IDataObject | undefined, rule: object) =>
    sandbox.control.addFault({ path: pathOf(row), calls: [1], ...rule } as never);
  return {
    ...rowsBench(sandbox, { parameters: refund, ...given }),
    sales: (count: number) => capturedSales(sandbox, count),
    pathOf,
    sentTo: (row?: IDataObject) => sent(row).length,
    appliedTo: (row?: IDataObject) => sent(row).filter(isApplied).length,
    looks: () => sandbox.control.journal().filter(({ method }) => method === 'GET').length,
    /** Loses the response to a refund that the service applies. */
    lost: (row?: IDataObject, more: object = {}) => fault(row, { kind: 'reset_after_apply', ...more }),
    /** Loses a refund that the service doesn't apply. */
    neverApplied: (row?: IDataObject, more: object = {}) => fault(row, { kind: 'reset_before_apply', ...more }),
  };
}

export const refunding = (options: object, more: object = {}) => ({ ...refund, ...more, options }) as INodeParameters;

/** Parameters that charge 25.00 to a customer's card. */
export const charging = (options: object = {}, more: object = {}): INodeParameters => ({
  ...{ resource: 'transaction', operation: 'sale', paymentMethod: 'customerCard', customer_id: 'CUST0001' },
  ...{ amt_tran: 25, ...more, options: options as INodeParameters },
});

/** Parameters that send one refund at a time. */
export const oneByOne = (options: object = {}): INodeParameters =>
  refunding({ sending: { maxParallelRequests: 1 }, ...options });

export const errorOf = (item?: { json: IDataObject }) => item?.json.error as IDataObject;
export const messages = (items: Array<{ json: IDataObject }>) => items.map((item) => errorOf(item).message);

/** Says for each item how it ended. */
export const outcomes = ({ items }: Pick<RunOutput, 'items'>) =>
  items.map(({ json }) => {
    if (json.error) return (json.error as IDataObject).outcome;
    return json.found_at_service ? 'found' : json.done_by_earlier_try ? 'done before' : 'done';
  });

type Reported = Record<'failed' | 'finished', IDataObject[]> & { notStarted: number[] };
/** Items that the execution's error reports. */
export const reported = ({ error }: RunOutput) => error?.context?.data as Reported;
export const failedOf = (output: RunOutput) => reported(output).failed;
