import type { INodeParameters } from 'n8n-workflow';

import { benchOf, sandboxForFile } from '../bench';

const sandbox = sandboxForFile();
const bench = benchOf(sandbox);

const secrets = {
  card_number: '4242424242424242',
  cvv2: '8147',
  tr_number: '021000021',
  dda_number: '90817',
  user_password: 'canary-Delivery-pass-77',
};
const { run } = benchOf(sandbox, { rows: [secrets] });

const stored = ({ run: { data } }: Awaited<ReturnType<typeof run>>) =>
  JSON.stringify([data.resultData.runData['Payment Platform'], data.resultData.error, data.executionData?.contextData]);

/** Matches a short number only as a whole word, because times may contain it. */
const contains = (text: string, secret: string) =>
  secret.length > 5 ? text.includes(secret) : new RegExp(`(?<![\\w+/])${secret}(?![\\w+/])`).test(text);

function echoes(): string[] {
  const { apiKey, merchantId } = sandbox.credentials.test;
  const token = Buffer.from(`${merchantId}:${apiKey}`).toString('base64');
  return [
    ...Object.values(secrets),
    apiKey,
    token,
    secrets.card_number.replace(/(.{4})/g, '$1\u00a0 ').trim(),
    '90-817',
  ];
}

const everything = () => echoes().join(' ; ');

const tokenize: INodeParameters = {
  resource: 'card',
  operation: 'tokenize',
  card_number: '={{ $json.card_number }}',
  cvv2: '={{ $json.cvv2 }}',
  exp_date: '1230',
};
const operations: Record<string, INodeParameters> = {
  'card.tokenize': tokenize,
  'payee.updateAccount': {
    resource: 'payee',
    operation: 'updateAccount',
    payee_id: '9001',
    tr_number: '={{ $json.tr_number }}',
    dda_number: '={{ $json.dda_number }}',
  },
  'webhook.create': {
    resource: 'webhook',
    operation: 'create',
    notification_url: 'https://n8n.example.com/webhook/x',
    label: 'Paid invoices',
    additionalFields: {
      auth_type: 'BASIC',
      auth_settings: { item: { user_name: 'n8n', user_password: '={{ $json.user_password }}' } },
    },
  },
  'api.request': {
    resource: 'api',
    operation: 'request',
    method: 'POST',
    path: '/platform/anything',
    body: '={{ $json }}',
  },
};

const refusals: Record<string, () => object> = {
  'of the gateway': () => ({ rcode: '108', rmsg: everything(), pg_id: everything() }),
  'of the platform': () => ({ code: 2, message: everything(), data: { field: everything(), [everything()]: 'x' } }),
  'that nobody can read': () => ({ rcode: '', rmsg: everything(), message: everything() }),
};

const sentBy: Record<string, Array<keyof typeof secrets>> = {
  'card.tokenize': ['card_number', 'cvv2'],
  'payee.updateAccount': ['card_number', 'tr_number', 'dda_number'],
  'webhook.create': ['card_number', 'tr_number', 'user_password'],
  'api.request': ['card_number', 'cvv2', 'tr_number', 'dda_number', 'user_password'],
};

describe.each(Object.keys(refusals))('a refusal %s that repeats keys and secret values', (kind) => {
  test.each(Object.keys(operations))('removes all secrets from the output: %s', async (operation) => {
    for (const status of [200, 400, 500])
      for (const onError of [undefined, 'continueErrorOutput'] as const) {
        sandbox.control.reset();
        sandbox.control.addFault({ kind: 'status', status, body: refusals[kind]?.() });
        const result = await run(operations[operation] ?? {}, undefined, { ...(onError && { onError }) });
        // An item at the error output also contains the user's input.
        const text = onError ? JSON.stringify(result.errors.map(({ json }) => json.error)) : stored(result);
        expect(text).toMatch(/outcome/);
        const { apiKey, merchantId } = sandbox.credentials.test;
        const token = Buffer.from(`${merchantId}:${apiKey}`).toString('base64');
        const hidden = [apiKey, token, ...(sentBy[operation] ?? []).map((name) => secrets[name])];
        expect(hidden.filter((secret) => contains(text, secret))).toEqual([]);
      }
  });
});

test.each([
  ['typed as a number', '98765432109', {}],
  ['in a list of fields', '90817', {}],
  ['in JSON', '98765432109', { customerMode: 'json' }],
])('removes an account number from the message about another field that repeats it: %s', async (_, number, json) => {
  const card = {
    paymentMethod: 'bankAccount',
    tr_number: '021000021',
    dda_number: number,
    billing_zip: `${number} ${number}`,
  };
  const customer = { customer_id: 'C9', customer_firm_name: 'Silva' };
  const { error } = await bench.run({
    resource: 'subscription',
    operation: 'create',
    customerSource: 'new',
    customer: { item: { ...customer, billing_cards: { item: [card] } } },
    customerJson: JSON.stringify({ ...customer, billing_cards: [card] }),
    plan_code: 'MONTHLY25',
    ...json,
  } as INodeParameters);
  expect(error?.message).toContain('ZIP');
  expect(`${error?.message} ${error?.description}`).not.toContain(number);
  expect(sandbox.control.journal()).toEqual([]);
});

test('removes an account number that is a JSON number in another field of the response', async () => {
  const answer = { rcode: '000', rmsg: 'Approved', pg_id: 'p1', amt_tran: 5, avs_zip: 98765432109 };
  sandbox.control.addFault({ kind: 'status', status: 200, body: answer });
  const account = { paymentMethod: 'bankAccount', tr_number: '021000021', dda_number: '98765432109' };
  const { items } = await run({ resource: 'transaction', operation: 'sale', ...account, amt_tran: 5, simplify: false });
  expect(items[0]?.json).toMatchObject({ pg_id: 'p1', amt_tran: 5, avs_zip: '***' });
});

test('removes an API key from the references of an unknown outcome', async () => {
  const { apiKey } = sandbox.credentials.test;
  sandbox.control.addFault({ kind: 'reset_after_apply' });
  const result = await run({
    resource: 'api',
    operation: 'request',
    method: 'POST',
    path: '/pg/sale',
    body: { purchase_id: apiKey, merch_ref_num: '4242 4242\u00a04242 4242', customer_id: 'A1' },
  });
  expect(result.error?.context?.data).toMatchObject({
    outcome: 'unknown',
    references: { purchase_id: '***', merch_ref_num: 'x4242', customer_id: 'A1' },
  });
});

test.each(['fail', 'continue'])(
  'removes all secrets from the message about a declined one-time fee (%s)',
  async (declinedFee) => {
    const sale = { rcode: '005', rmsg: everything(), pg_id: 'p1' };
    const data = { subscription_id: 7, customer_id: 'A1', status: 'A', response: sale };
    sandbox.control.addFault({ kind: 'status', status: 200, body: { code: 0, message: 'Success', data } });
    const result = await run({
      resource: 'subscription',
      operation: 'create',
      customerSource: 'new',
      customerMode: 'fields',
      customer: {
        item: {
          auto_generate_customer_id: true,
          customer_first_name: 'Ana',
          customer_last_name: 'Silva',
          billing_cards: {
            item: [
              {
                card_number: '={{ $json.card_number }}',
                cvv2: '={{ $json.cvv2 }}',
                exp_date: '1230',
                billing_zip: '97477',
              },
            ],
          },
        },
      },
      termsSource: 'offPlan',
      plan_frequency: 3,
      plan_duration: 12,
      endsAfter: 'payments',
      recur_amt: 5,
      date_start: '2030-03-01',
      declinedFee,
      simplify: false,
    });
    const text = stored(result);
    expect(text).toContain('one-time fee was declined');
    const { apiKey, merchantId } = sandbox.credentials.test;
    const token = Buffer.from(`${merchantId}:${apiKey}`).toString('base64');
    expect([apiKey, token, secrets.card_number].filter((secret) => text.includes(secret))).toEqual([]);
  },
);

test("doesn't report a payee's new account as done if the service refuses it in the gateway's format", async () => {
  sandbox.control.addFault({ kind: 'status', status: 200, body: { rcode: '101', rmsg: 'Invalid credentials' } });
  const { error, items } = await run(operations['payee.updateAccount'] ?? {});
  expect(items).toEqual([]);
  expect(error?.context?.data).toMatchObject({ outcome: 'declined', rcode: '101' });
});

test('treats the code 085 as a success for a new token', async () => {
  const answer = { rcode: '085', rmsg: 'Not declined', card_id: 'abc', card_number: '424242xxxxxx4242' };
  sandbox.control.addFault({ kind: 'status', status: 200, body: answer });
  const { error, items } = await run(tokenize);
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json)).toEqual([
    { what_happened: 'Saved the card or bank account under a new card ID.', ...answer },
  ]);
});

test.each([
  ['/pg/verify', { card_id: 'a' }, undefined],
  ['/pg/verify', { card_id: 'a', amt_tran: 0.5 }, 'unknown'],
  ['/pg/sale', { card_id: 'a', amt_tran: 5 }, 'unknown'],
  ['/pg/capture/abc', {}, 'unknown'],
])('evaluates the code 085 for %s with %j', async (path, body, outcome) => {
  sandbox.control.addFault({ kind: 'status', status: 200, body: { rcode: '085', rmsg: 'Not declined', pg_id: 'p1' } });
  const { error, items } = await run({ resource: 'api', operation: 'request', method: 'POST', path, body });
  expect((error?.context?.data as { outcome?: string } | undefined)?.outcome).toBe(outcome);
  expect(items).toHaveLength(outcome === undefined ? 1 : 0);
});
