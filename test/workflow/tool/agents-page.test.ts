import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox';
import { agentsPage, asWritten } from '../../agents-page';
import { credentialFor } from '../../credential';
import { sandboxForFile } from '../bench';
import { toolOf, type ToolInput } from './tool-harness';

const sandbox = sandboxForFile({ seed: false });
const sale = (environment: 'test' | 'production' = 'test') =>
  sandbox.control.addCapturedSales({ count: 1, amountCents: 5000 }, environment)[0] ?? '';

const LIMITS: IDataObject = { limitPerItem: 50, limitPerExecution: 20 };
const refundOf = (id: string, guards = LIMITS, more: IDataObject = {}) =>
  ({
    resource: 'transaction',
    operation: 'refund',
    pg_id: { __rl: true, mode: 'id', value: id },
    amt_tran: 10,
    ...guards,
    ...more,
  }) as INodeParameters;

/** Returns the results of successive calls in one execution, as the model reads them. */
async function read(calls: INodeParameters[], environment: 'test' | 'production' = 'test'): Promise<string[]> {
  const texts: string[] = [];
  let data: ToolInput['data'];
  for (const parameters of calls) {
    const tool = toolOf({ parameters, credential: credentialFor(sandbox, environment), data });
    data = tool.data;
    texts.push(
      ...(await tool.call({ max: 999, amount: 10 })).items.map(({ result = '' }) => asWritten(result as string)),
    );
  }
  return texts;
}

const faults: Array<[string, FaultRule]> = [
  ['received no response', { kind: 'reset_after_apply' }],
  ['was declined', { kind: 'status', status: 402, code: '005' }],
  ['was turned away', { kind: 'rate_limited', retryAfterSeconds: 3600 }],
];
const NO_CHECK = { ...LIMITS, options: { ifExists: { then: 'skip' } } };

describe('texts for models that the page about agents quotes exactly', () => {
  test.each(faults)('quotes the text for a refund that %s', async (_, fault) => {
    sandbox.control.addFault({ operationId: 'refund', ...fault });
    const [text] = await read([refundOf(sale())]);
    expect(agentsPage).toContain(`\`${text}\``);
  });

  test('quotes the texts after an equal call that is done or unknown', async () => {
    const [done, unknown] = [sale(), sale()];
    sandbox.control.addFault({ operationId: 'refund', kind: 'reset_after_apply', path: `/pg/refund/${unknown}` });
    const texts = await read([done, done, unknown, unknown].map((id) => refundOf(id)));
    expect(texts[0]).toBe('');
    for (const text of texts.slice(1)) expect(agentsPage).toContain(`\`${text}\``);
  });

  test('quotes the text for an exhausted limit per execution', async () => {
    const texts = await read([sale(), sale(), sale()].map((id) => refundOf(id)));
    expect(agentsPage).toContain(`\`${texts[2]}\``);
  });

  test('quotes the text for an exhausted daily limit', async () => {
    const guards = { ...LIMITS, limitPerDay: '20' };
    await read([sale(), sale()].map((id) => refundOf(id, guards)));
    const [text] = await read([refundOf(sale(), guards)]);
    expect(agentsPage).toContain(`\`${text}\``);
  });

  test('quotes the text for a refund that the report already contains', async () => {
    const id = sale();
    await read([refundOf(id)]);
    const [text] = await read([refundOf(id)]);
    expect(agentsPage).toContain(`\`${text}\``);
  });

  test.each<[string, IDataObject]>([
    ['without limits', {}],
    ['with a limit that the model fills', { ...NO_CHECK, limitPerItem: "={{ $fromAI('max') }}" }],
    ['over the limit for a call', { ...NO_CHECK, limitPerItem: 9, amt_tran: "={{ $fromAI('amount', '', 'number') }}" }],
  ])('quotes the text of a tool %s', async (_, guards) => {
    const [text] = await read([refundOf(sale(), guards)]);
    expect(agentsPage).toContain(`\`${text}\``);
  });

  test('quotes the text of an unopened tool', async () => {
    const [text] = await read([{ resource: 'transaction', operation: 'refund' }]);
    expect(agentsPage).toContain(`\`${text}\``);
  });

  test('quotes the text of a tool with a Production credential', async () => {
    const [text] = await read([refundOf(sale('production'))], 'production');
    expect(agentsPage).toContain(`\`${text}\``);
  });
});
