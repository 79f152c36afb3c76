import type { INodeParameters } from 'n8n-workflow';

import { benchOf, sandboxForFile, toErrors } from '../bench';
import { subscription } from '../writes';

const sandbox = sandboxForFile();
const names = { customer_first_name: 'Ana', customer_last_name: 'Silva' };
const plan = { plan_name: 'Box', plan_desc: 'A box', recur_amt: 5, endsAfter: 'cancellation' };
const { run } = benchOf(sandbox, toErrors);

const own = { auto_generate_customer_id: false };
const MADE: Array<[string, (id: string) => INodeParameters]> = [
  ['a customer', (id) => ({ resource: 'customer', operation: 'create', ...names, ...own, own_customer_id: id })],
  [
    'a customer who is changed or made',
    (id) => ({ resource: 'customer', operation: 'upsert', ...names, own_customer_id: id }),
  ],
  ['a plan', (id) => ({ resource: 'plan', operation: 'create', ...plan, own_plan_code: id })],
  ['a plan that is changed or made', (id) => ({ resource: 'plan', operation: 'upsert', ...plan, own_plan_code: id })],
  [
    'the customer of a new subscription',
    (id) => ({
      ...subscription(sandbox, {}),
      customerSource: 'new',
      customer: {
        item: {
          ...{ ...names, ...own, customer_id: id },
          billing_cards: { item: [{ card_number: '5555555555554444', exp_date: '12/30', billing_zip: '97477' }] },
        },
      },
    }),
  ],
];

describe.each(MADE)("the user's own ID of %s", (_, given) => {
  test.each(['4111111111111111', 'C4222222222222'])('refuses an ID that contains the card number %s', async (id) => {
    const { errors } = await run(given(id));
    const said = JSON.stringify(errors[0]?.json.error);
    expect(said).toContain('must not contain a card number');
    expect(said).not.toContain(id.replace(/\D/g, ''));
    expect(sandbox.control.journal().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('accepts an ID that contains another long number', async () => {
    const { errors } = await run(given('1234567890123456'));
    expect(errors).toEqual([]);
  });
});
