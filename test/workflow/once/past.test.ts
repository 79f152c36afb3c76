import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';

import { benchOf, sandboxForFile } from '../bench';

const sandbox = sandboxForFile();
const bench = benchOf(sandbox);

const hintsOf = async (parameters: INodeParameters) => {
  const { hints, error, items } = await bench.run(parameters);
  expect(error).toBeUndefined();
  expect(items).toHaveLength(1);
  return hints;
};

const month = (months: number) => DateTime.utc().plus({ months }).toFormat('MMyy');
const card = (exp_date: string) => ({
  resource: 'card',
  operation: 'tokenize',
  paymentMethod: 'card',
  card_number: '4111111111111111',
  exp_date,
});
const EXPIRED =
  'A card was saved with an expiration date in the past. Card issuers can decline payments with expired cards, so check the date.';

test.each([-1, -30])('saves a card that expired %d months ago and returns a notice', async (months) =>
  expect(await hintsOf(card(month(months)))).toEqual([EXPIRED]),
);

test.each([0, 1, 60])('saves a card that is valid for %d more months without a notice', async (months) =>
  expect(await hintsOf(card(month(months)))).toEqual([]),
);

const day = (days: number) => DateTime.utc().plus({ days }).toISODate();
const subscription = (date_start: string, more: INodeParameters = {}) => ({
  ...{ resource: 'subscription', operation: 'create', customer_id: 'CUST0001', termsSource: 'offPlan' },
  ...{ plan_frequency: 3, recur_amt: '25', endsAfter: 'payments', plan_duration: '12', date_start },
  ...more,
});

test.each([-2, -800])('sends a subscription that started %d days ago and returns a notice', async (days) =>
  expect(await hintsOf(subscription(day(days)))).toEqual([
    'The Start Date of a subscription is in the past. The field "date_next" in the output contains the day of the next payment. If the Start Date is wrong, cancel the subscription.',
  ]),
);

test.each([0, 1, 400])('creates a subscription that starts in %d days without a notice', async (days) =>
  expect(await hintsOf(subscription(day(days)))).toEqual([]),
);

test("returns notices about a past start and a new customer's expired card", async () => {
  const customer = {
    customerSource: 'new',
    customer: {
      item: {
        customer_first_name: 'Ana',
        customer_last_name: 'Ito',
        auto_generate_customer_id: true,
        billing_cards: { item: [{ card_number: '4111111111111111', exp_date: month(-1), billing_zip: '97477' }] },
      },
    },
  };
  const [hint] = await hintsOf(subscription(day(-2), customer));
  expect(hint).toContain('The Start Date of a subscription is in the past.');
  expect(hint).toContain(EXPIRED);
});
