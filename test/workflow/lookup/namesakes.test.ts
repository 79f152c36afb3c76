import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, errorOf, sandboxForFile, toErrors } from '../bench';
import type { RunInput } from '../harness';
import { subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const JOHN = { card: '4111111111111111', email: 'john@a.example', phone: '+1 202 555 0143' };

/** Subscription for a new customer named John Smith. Only the email address differs between rows. */
const parameters = (options: IDataObject = { ifExists: { then: 'return' } }): INodeParameters => ({
  ...subscription(sandbox),
  customerSource: 'new',
  customer: {
    item: {
      customer_first_name: 'John',
      customer_last_name: 'Smith',
      customer_email: '={{ $json.email }}',
      auto_generate_customer_id: true,
      billing_cards: {
        item: [{ paymentMethod: 'card', card_number: '={{ $json.card }}', exp_date: '12/30', billing_zip: '97477' }],
      },
      additionalFields: { customer_phone: '={{ $json.phone }}' },
    },
  },
  options: options as INodeParameters,
});
const bench = benchOf(sandbox, { looksUp: true, ...toErrors });
const run = async (rows: IDataObject[], options?: IDataObject, more?: Partial<RunInput>) =>
  await bench.run(parameters(options), rows, more);
const made = () => sandbox.control.journal({ operationId: 'addSubscription' }).length;

describe('new customers with the same name', () => {
  test.each([
    ['another email address and card', { card: '5555555555554444', email: 'john@b.example', phone: '' }],
    [
      'another email address, phone and card',
      { card: '5555555555554444', email: 'b@b.example', phone: '+44 20 7946 0018' },
    ],
  ])('creates a second subscription for %s', async (_, other) => {
    const first = await run([JOHN]);
    const second = await run([other]);
    expect(second.errors).toEqual([]);
    expect(second.items[0]?.json.found_at_service).toBeUndefined();
    expect(second.items[0]?.json.subscription_id).not.toBe(first.items[0]?.json.subscription_id);
    expect(made()).toBe(2);
  });

  test.each([
    ['all the same', {}],
    ['his email address in capitals', { email: 'John@A.example' }],
    ['nothing else than the card', { email: '', phone: '' }],
    ['another card, for cards are replaced', { card: '5555555555554444' }],
  ])('returns the existing subscription for %s', async (_, other) => {
    const first = await run([JOHN]);
    const again = await run([{ ...JOHN, ...other }]);
    expect(again.items[0]?.json).toMatchObject({
      subscription_id: first.items[0]?.json.subscription_id,
      found_at_service: expect.any(String) as string,
    });
    expect(made()).toBe(1);
  });

  test.each([
    ['nothing beside the name that tells', { card: '5555555555554444', email: '', phone: '' }],
    ['the same phone and another email address', { email: 'john@b.example' }],
    ['the same card and another email address', { email: 'john@b.example', phone: '' }],
  ])('refuses the item for %s, because the customers may be the same', async (_, other) => {
    await run([JOHN]);
    const { errors } = await run([{ ...JOHN, ...other }]);
    expect(errorOf(errors[0])).toMatchObject({
      outcome: 'invalid',
      message: expect.stringMatching(
        /^A matching record may already exist: .*\d+ is in the list of subscriptions/,
      ) as string,
    });
    expect(made()).toBe(1);
  });
});

test("doesn't assign another customer's subscription to a lost response", async () => {
  const other = { card: '5555555555554444', email: 'john@b.example', phone: '' };
  sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'addSubscription', calls: [1] });
  const { items, errors } = await run([JOHN, other], {});
  expect(items.map(({ json }) => json.found_at_service)).toEqual([undefined]);
  expect(errors.map((item) => errorOf(item).outcome)).toEqual(['unknown']);
});
