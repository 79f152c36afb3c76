import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox';
import { agentsPage, asWritten, isComplete, placeholderValues } from '../../agents-page';
import { credentialFor } from '../../credential';
import { sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';
import { toolOf, type ToolInput } from './tool-harness';

const sandbox = sandboxForFile({ seed: false });

type EnvironmentName = 'test' | 'production';

interface Quoted {
  operation: string;
  operationId: string;
  make: (environment?: EnvironmentName) => Promise<IDataObject>;
  /** Label of the parameter that contains the ID of the created record. */
  label: string;
  settings?: IDataObject;
}

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });
const ACCOUNT = { type_id: 'K', tr_number: '021000021', dda_number: '000123456789', accountholder_name: 'Ben' };
const OPERATIONS: Quoted[] = [
  {
    operation: 'refund',
    operationId: 'refund',
    label: 'Transaction',
    make: async (environment = 'test') => {
      const [id] = sandbox.control.addCapturedSales({ count: 1, amountCents: 5000 }, environment);
      return await Promise.resolve({ pg_id: locator(id) });
    },
  },
  {
    operation: 'sale',
    operationId: 'sale',
    label: 'Amount',
    make: async (environment = 'test') => {
      const [id] = sandbox.control.addCustomers(1, environment);
      return await Promise.resolve({
        customer_id: locator(id),
        additionalFields: { purchase_id: `ORDER-${id}` },
      });
    },
  },
  {
    operation: 'payout',
    operationId: 'payPayee',
    label: 'Payee',
    make: async (environment = 'test') => {
      const { items } = await runWorkflow({
        rows: [{}],
        parameters: {
          resource: 'payee',
          operation: 'create',
          payee_name: 'Ben',
          payee_account: { item: ACCOUNT },
        },
        credential: credentialFor(sandbox, environment),
      });
      const { payee_id: id } = items[0]?.json as { payee_id: string };
      return { payee_id: locator(id), additionalFields: { merch_ref_num: `PAYOUT-${id}` } };
    },
    settings: { allowAgent: true },
  },
];

const LIMITS: IDataObject = { limitPerItem: 50, limitPerExecution: 20 };
const NO_CHECK = { ...LIMITS, options: { ifExists: { then: 'skip' } } };

async function read(calls: INodeParameters[], environment: EnvironmentName = 'test'): Promise<string[]> {
  const texts: string[] = [];
  let data: ToolInput['data'];
  for (const parameters of calls) {
    const tool = toolOf({ parameters, credential: credentialFor(sandbox, environment), data });
    data = tool.data;
    texts.push(...(await tool.call({ max: 999, amount: 10 })).items.map(({ result = '' }) => result as string));
  }
  return texts;
}

const faults: Array<[string, FaultRule]> = [
  ['received no response', { kind: 'reset_after_apply' }],
  ['was declined', { kind: 'status', status: 402, code: '005' }],
  ['was turned away', { kind: 'rate_limited', retryAfterSeconds: 3600 }],
];

describe.each(OPERATIONS)('texts for models that the page about agents quotes exactly: $operation', (quoted) => {
  const { operation, operationId, make, label, settings } = quoted;
  const callOf = (about: IDataObject, guards = LIMITS, more: IDataObject = {}) =>
    ({
      resource: 'transaction',
      operation,
      ...about,
      amt_tran: 10,
      ...settings,
      ...guards,
      ...more,
    }) as INodeParameters;
  const isQuoted = (text = '') => {
    expect([text, isComplete(text)]).toEqual([text, true]);
    for (const quoted of [asWritten(text), ...placeholderValues(text)]) expect(agentsPage).toContain(`\`${quoted}\``);
  };

  test.each(faults)('the page quotes the text for a call that %s', async (_, fault) => {
    sandbox.control.addFault({ operationId, ...fault });
    const [text] = await read([callOf(await make())]);
    isQuoted(text);
  });

  test('quotes the texts after an equal call that is done or unknown', async () => {
    const [done, unknown] = [callOf(await make()), callOf(await make())];
    sandbox.control.addFault({ operationId, kind: 'reset_after_apply', calls: [2] });
    const texts = await read([done, done, unknown, unknown]);
    expect(texts[0]).toBe('');
    for (const text of texts.slice(1)) isQuoted(text);
  });

  test('quotes the text for an exhausted limit per execution', async () => {
    const texts = await read([callOf(await make()), callOf(await make()), callOf(await make())]);
    isQuoted(texts[2]);
  });

  test('quotes the text for an exhausted limit per day', async () => {
    const guards = { ...LIMITS, limitPerDay: '20' };
    await read([callOf(await make(), guards), callOf(await make(), guards)]);
    const [text] = await read([callOf(await make(), guards)]);
    isQuoted(text);
  });

  test('quotes the text for a payment that the report already contains', async () => {
    const call = callOf(await make());
    await read([call]);
    const [text] = await read([call]);
    isQuoted(text);
  });

  test.each<[string, IDataObject]>([
    ['without limits', {}],
    ['with a limit that the model fills', { ...NO_CHECK, limitPerItem: "={{ $fromAI('max') }}" }],
    ['over the limit for a call', { ...NO_CHECK, limitPerItem: 9, amt_tran: "={{ $fromAI('amount', '', 'number') }}" }],
  ])('quotes the text of a tool %s', async (_, guards) => {
    const [text] = await read([callOf(await make(), guards)]);
    isQuoted(text);
  });

  test('quotes the text of an unopened tool', async () => {
    const [text] = await read([{ resource: 'transaction', operation, ...settings } as INodeParameters]);
    expect(text).toContain(`"${label}" is required`);
    isQuoted(text);
  });

  test('quotes the text of a tool with a Production credential', async () => {
    const [text] = await read([callOf(await make('production'))], 'production');
    isQuoted(text);
  });
});
