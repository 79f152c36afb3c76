import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { benchOf, refund, sandboxForFile } from '../bench';
import type { RunInput } from '../harness';
import { toolOf, type ToolInput } from '../tool/tool-harness';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';

const sandbox = sandboxForFile({ seed: false });
const row = { id: 'abc123', amount: '$5', lines: [{ description: 'Hours', quantity: 1, unit_cost: 'five' }] };
const { run } = benchOf(sandbox, { parameters: refund, rows: [row] });
const descriptionOf = async (parameters: object, more?: Partial<RunInput>) =>
  (await run(parameters, undefined, more)).error?.description;

const FROM_CRM =
  'The value comes from the node "CRM" ({{ $json.amount }}). Correct the value there, and then run the node again.';

test('names the previous node for a refused value and keeps the reason in the headline', async () => {
  const { error } = await run({}, undefined, { by: ['CRM'] });
  expect(error?.description).toBe(`${FROM_CRM} Nothing was sent.`);
  expect(error?.message).toMatch(/^"Amount" must be written without a currency\. Did you mean 5\? \(found "\$5"\)/);
});

test('names the node in the expression for a value from a chain of nodes', async () => {
  const words = 'The value comes from the node "Rows" (';
  for (const code of ["$('Rows').item.json.amount", '$node["Rows"].json.amount', '$items("Rows")[0].json.amount'])
    expect(await descriptionOf({ amt_tran: `={{ ${code} }}` }, { by: ['CRM'] })).toBe(
      `${words}{{ ${code} }}). Correct the value there, and then run the node again. Nothing was sent.`,
    );
});

test('names the node whose rows were refused if several nodes share an input', async () => {
  const { run: all } = await run({}, undefined, { by: ['CRM', 'Shop'], onError: 'continueRegularOutput' });
  const runs = all.data.resultData.runData['Payment Platform'] ?? [];
  expect(runs.map(({ source }) => source[0]?.previousNode).sort()).toEqual(['CRM', 'Shop']);
  for (const { data, source } of runs)
    expect(data?.main?.[0]?.[0]?.json.error).toMatchObject({
      description: expect.stringContaining(`the node "${source[0]?.previousNode}" ({{ $json.amount }})`) as string,
    });
});

test('names the node for a JSON list, a list in fields and a guard', async () => {
  const invoice = { resource: 'invoice', operation: 'create', customer_id: 'c1', currency: 'USD' };
  const [asJson, byFields, guard] = [
    await run({ ...invoice, line_itemsMode: 'json', line_itemsJson: '={{ $json.lines }}' }, undefined, { by: ['CRM'] }),
    await run(
      {
        ...invoice,
        line_items: { item: [{ description: 'a', quantity: 1, unit_cost: '={{ $json.amount }}' }] },
      },
      undefined,
      { by: ['CRM'] },
    ),
    await run({ amt_tran: 5, options: { limitPerItem: '={{ $json.amount }}' } }, undefined, { by: ['CRM'] }),
  ];
  expect(asJson.error?.message).toContain('"Line Items 1 > Unit Cost"');
  expect(asJson.error?.description).toContain('from the node "CRM" ({{ $json.lines }})');
  expect(byFields.error?.message).toContain('"Line Items 1 > Unit Cost"');
  expect(byFields.error?.description).toContain('from the node "CRM" ({{ $json.amount }})');
  expect(guard.error?.message).toContain('"Limit per Item"');
  expect(guard.error?.description).toContain(FROM_CRM);
});

test('says to correct the node itself for a fixed value or a failing expression', async () => {
  const usual = 'Correct the value, and then run the node again. Nothing was sent.';
  expect(await descriptionOf({ amt_tran: '$5' }, { by: ['CRM'] })).toBe(usual);
  expect(await descriptionOf({ amt_tran: "={{ $('Nowhere').item.json.a }}" }, { by: ['CRM'] })).toBe(usual);
});

test('shows neither a card number nor a secret field of an expression', async () => {
  const card = { resource: 'card', operation: 'tokenize', paymentMethod: 'card', exp_date: '1230' };
  const secret = await run({ ...card, card_number: '={{ "4111 1111 1111 1111 x" }}' }, undefined, { by: ['CRM'] });
  expect(secret.error?.description).toContain('The value comes from an expression. Correct the value there');
  const { error } = await run({ amt_tran: '={{ $json.amount + "4111 1111 1111 1111" }}' }, undefined, { by: ['CRM'] });
  expect(error?.description).toContain('"CRM" ({{ $json.amount + "x1111" }})');
  const told = [secret.error, error].map((one) => [one?.message, one?.description, one?.context]);
  expect(JSON.stringify(told)).not.toMatch(/4111.?1111.?1111/);
});

describe('sources of values in a tool', () => {
  const call = async (amount: unknown, args: IDataObject, more: Partial<ToolInput> = {}) => {
    const parameters = { ...refund, pg_id: 'abc123', amt_tran: amount, limitPerItem: 50, limitPerExecution: 50 };
    const tool = toolOf({ parameters: parameters as INodeParameters, credential: credentialFor(sandbox), ...more });
    return asText((await tool.call(args)).items[0]?.result);
  };

  test("says that the model gave the value and doesn't suggest another call", async () => {
    const result = await call("={{ $fromAI('amount', '', 'string') }}", { amount: '$5' });
    expect(result).toMatch(
      /^REFUSED\. Nothing was sent for this call\. "Amount" must be .*The model provided this value\. Tell the user/,
    );
    expect(result).not.toMatch(/again|retry|correct the value/i);
  });

  test("names only the expression for a value from the agent's input", async () => {
    for (const fromOutside of [true, false]) {
      const result = await call("={{ $json.amount ?? '$5' }}", {}, { fromOutside });
      expect(result).toContain('The value comes from the expression {{ $json.amount ??');
      expect(result).toContain('. Only a person can change this value. Tell the user');
    }
  });
});
