import type { Sandbox } from '../../../../sandbox';

type Post = (path: string, body: object, method?: 'PUT') => Promise<Record<string, unknown>>;
/** Sends a GET request and returns the records in the service's response. */
type Get = (path: string) => Promise<Array<Record<string, unknown>>>;
type Control = Sandbox['control'];
type Service = Pick<Sandbox, 'baseUrl' | 'control' | 'credentials'>;

async function openDisputes(merchant_id: string, get: Get): Promise<void> {
  const [first] = await get(`platform/dispute/${merchant_id}/create`);
  await get(`platform/dispute/${String(first?.rec_id)}/accept`);
}

const savedCards = (control: Control) => {
  const customers = control.state().customers.slice(0, 3);
  return { card_id: customers.map(({ billing_cards: [card] }) => card?.card_id) };
};

/** Advances the clock until the card issuers have responded to the account updater requests. */
async function completeUpdates(post: Post, control: Control): Promise<void> {
  await post('platform/aus/add', {
    data: [{ card_number: '4111111111111111', exp_date: '1230', card_id: 'member-1' }],
  });
  await post('platform/aus/request/create', savedCards(control));
  await control.advanceClock({ days: 5 });
}

/** Creates each resource's records in states random input rarely hits. */
const MADE: Record<string, (post: Post, control: Control, merchant_id: string, get: Get) => Promise<void>> = {
  subscription: async (post) => {
    const body = { customer_id: 'CUST0001', plan_code: 'MONTHLY25', date_start: '2031-01-01', amt_setup: 20 };
    for (const change of ['', 'pause']) {
      const { subscription_id } = await post('platform/subscription', body);
      await post(`platform/subscription/${String(subscription_id)}/labels/add`, {
        name: 'route',
        value: 'Tuesday north',
      });
      if (change !== '')
        await post(`platform/subscription/${String(subscription_id)}/${change}`, { customer_id: body.customer_id });
    }
  },
  // Uses a tokenized card, because only the ID of a tokenized card can expire.
  card: async (post, _, merchant_id) => {
    await post('pg/tokenize', { merchant_id, card_number: '4111111111111111', exp_date: '1230' });
  },
  transaction: async (post, control) => {
    control.addCapturedSales({ count: 3, amountCents: 8000, authorizeOnly: true });
    const payee_account = [{ tr_number: '122105155', dda_number: '000123456789' }];
    await post('platform/vault/payee', { payee_name: 'Silva Bakery', payee_account });
  },
  checkout: async (post) => {
    await post('platform/checkout', { amt_tran: 5 });
  },
  dispute: async (post, control, merchant_id, get) => {
    const [pg_id] = control.addCapturedSales({ count: 1, amountCents: 8000 });
    control.closeBatch();
    control.sendDeposits();
    await post(`pg/refund/${pg_id}`, { merchant_id, amt_tran: 5 });
    await openDisputes(merchant_id, get);
  },
  accountUpdater: async (post, control) => {
    await completeUpdates(post, control);
    await post('platform/aus/request/create', savedCards(control));
  },
  report: async (post, control, merchant_id, get) => {
    await openDisputes(merchant_id, get);
    await completeUpdates(post, control);
  },
  webhook: async (post) => {
    const notification_url = 'https://n8n.example.com/hook';
    for (const label of ['Paid invoices', 'Automation', 'Accounting', 'Payments (n8n 0123456789ab)']) {
      const { webhook_id } = await post('platform/webhook', { notification_url, label, events: ['invoice_paid'] });
      if (label.startsWith('A')) await post(`platform/webhook/${String(webhook_id)}/disable`, {}, 'PUT');
    }
  },
  // Adds a shipping address, because no customer has one.
  customerAddress: async (post) => {
    await post('platform/vault/customer/CUST0001/shipping', {
      shipping_first_name: 'Ana',
      shipping_last_name: 'Silva',
    });
  },
  invoice: async (post) => {
    const line_items = [{ quantity: 2, description: 'Hour', unit_cost: 50 }];
    const { invoice_id } = await post('platform/invoice', { customer_id: 'CUST0001', line_items });
    await post(`platform/invoice/${String(invoice_id)}/payments`, {
      type: 'CHECK',
      amt_paid: 5,
      date_payment: '2026-03-31',
    });
    await post(`platform/invoice/${String(invoice_id)}/send`, { email_address: ['undeliverable@example.com'] });
  },
};

export async function freshRecords({ baseUrl, control, credentials }: Service, resource: string): Promise<void> {
  control.reset();
  const headers = { authorization: `Basic ${credentials.test.token}`, 'content-type': 'application/json' };
  const post: Post = async (path, body, method: string = 'POST') => {
    const url = `${baseUrl}/${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    const { data } = (await answer.json()) as { data?: Record<string, unknown> };
    if (!answer.ok) throw new Error(`The service refused ${path}: ${answer.status}`);
    return data ?? {};
  };
  const get: Get = async (path) => {
    const answer = await fetch(`${baseUrl}/${path}`, { headers });
    if (!answer.ok) throw new Error(`The service refused ${path}: ${answer.status}`);
    const { data } = (await answer.json()) as { data: unknown };
    return Array.isArray(data) ? (data as Array<Record<string, unknown>>) : [];
  };
  await MADE[resource]?.(post, control, credentials.test.merchantId, get);
}
