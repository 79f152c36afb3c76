import type { AxiosResponse } from 'axios';

import { InterfaceDocument, type ContractOperation } from '../../sandbox/contract/document';
import { createValidators } from '../../sandbox/contract/validator';
import { exampleRequest } from '../example-request';
import { createInvoice, INVOICE_BODY, openBench, type Envelope, type TestBench } from './client';

describe('Checks against the interface description', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openBench();
  });
  beforeEach(() => bench.sandbox.control.reset(false));
  afterAll(() => bench.sandbox.stop());

  test('an unknown field is refused by the gateway with rcode 100 and its name', async () => {
    const { status, data } = await bench.http.post<Envelope>('/pg/tokenize', {
      merchant_id: bench.merchant_id,
      card_number: '4111111111111111',
      cardnumber: 'x',
    });
    expect([status, data.rcode]).toEqual([400, '100']);
    expect(data.rmsg).toContain('cardnumber');
  });

  test('an unknown or mistyped field is refused by the platform with code 2 and its path', async () => {
    const line_items = [{ quantity: '2', description: 'Hour', unit_cost: 50 }];
    const { status, data } = await bench.http.post<Envelope>('/platform/invoice', {
      ...INVOICE_BODY,
      line_items,
      color: 'red',
    });
    expect([status, data.code]).toEqual([400, 2]);
    expect(Object.keys(data.data as object).sort()).toEqual(['color', 'line_items[0].quantity']);
    expect(bench.sandbox.control.state().invoices).toEqual([]);
  });

  test.each([
    ['merchant_id as a number', { merchant_id: 100000000001 }, '100'],
    ['a card number with a wrong check digit', { card_number: '4111111111111119' }, '108'],
    ['a month that does not exist', { exp_date: '1330' }, '107'],
    ['a street without a postal code', { avs_address: '1 Oak Street' }, '106'],
    ['two payment sources', { tr_number: '021000021', dda_number: '123456789' }, '103'],
    ['echo_fields that are not JSON', { echo_fields: 'x' }, '100'],
    ['an unknown card_id', { card_id: 'a'.repeat(32) }, '405'],
  ])('tokenize refuses %s', async (_what, fields, rcode) => {
    const body = { merchant_id: bench.merchant_id, card_number: '4111111111111111', exp_date: '1230', ...fields };
    expect((await bench.http.post<Envelope>('/pg/tokenize', body)).data.rcode).toBe(rcode);
    expect(bench.sandbox.control.state().tokens).toEqual([]);
  });

  test('a body that is not JSON, an unknown URL and an unknown record each get the family’s own shape', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await bench.http.post<Envelope>('/pg/tokenize', '{"merchant_id":', { headers });
    const url = await bench.http.get<Envelope>('/platform/nothing');
    const record = await bench.http.post<Envelope>('/platform/invoice/424242/send', {});
    expect([broken.status, broken.data.rcode]).toEqual([400, '100']);
    expect([url.status, url.data.code]).toEqual([404, 7]);
    expect([record.status, record.data.code]).toEqual([404, 7]);
  });

  test('every operation has a successful answer that fits the description', async () => {
    bench.sandbox.control.reset(true);
    const { http, merchant_id } = bench;
    const pgIdOrig = bench.sandbox.control.addCapturedSales({ count: 1, amountCents: 500 })[0] ?? '';
    const { invoice_id } = await createInvoice(bench);
    const { invoice_id: draft } = await createInvoice(bench);
    const checkout = await http.post<{ data: { checkout_id: string } }>('/platform/checkout', { amt_tran: 5 });
    const updater = await http.post<{ data: { request_id: string } }>('/platform/aus/add', {
      data: [{ card_number: '4111111111111111', exp_date: '1230' }],
    });
    const subscription = await http.post<{ data: { subscription_id: number } }>('/platform/subscription', {
      customer_id: 'CUST0001',
      plan_code: 'MONTHLY25',
      amt_setup: 10,
    });
    const ofSubscription = `/platform/subscription/${subscription.data.data.subscription_id}`;
    const owner = { customer_id: 'CUST0001' };
    const vault = '/platform/vault/customer/CUST0002';
    type Cards = { data: { billing_cards: Array<{ card_id: string }> } };
    type Addresses = { data: { shipping_addresses: Array<{ shipping_id: number }> } };
    const address = { shipping_first_name: 'Ada', shipping_last_name: 'Example' };
    const withAddress = await http.post<Addresses>(`${vault}/shipping`, address);
    const shipping_id = withAddress.data.data.shipping_addresses[0]?.shipping_id;
    const card = { card_number: '5555555555554444', exp_date: '1230', billing_zip: '97477' };
    const withCard = await http.post<Cards>(`${vault}/billing`, card);
    const card_id = withCard.data.data.billing_cards[1]?.card_id;
    const paymentOf = async (amt_paid: number) => {
      const payment = { type: 'CHECK', amt_paid, date_payment: '2026-11-21' };
      const { data } = await http.post<{ data: { payment_id: number } }>(
        `/platform/invoice/${draft}/payments`,
        payment,
      );
      return `/platform/invoice/${draft}/payments/${data.data.payment_id}`;
    };
    /** What the interface's examples alone do not make: much of it stands on other operations. */
    const answers: Record<string, AxiosResponse<unknown>> = {
      tokenize: await http.post('/pg/tokenize', { merchant_id, card_number: '4111111111111111', echo_fields: '[]' }),
      refund: await http.post(`/pg/refund/${pgIdOrig}`, { merchant_id, amt_tran: 5 }),
      addSubscription: subscription,
      getSubscription: await http.get(ofSubscription),
      updateSubscription: await http.put(ofSubscription, { card_id: '' }),
      getSubscriptionTransactions: await http.get(
        `/platform/subscription/transactions/${subscription.data.data.subscription_id}`,
      ),
      getAllSubscriptionTransactions: await http.get('/platform/subscription/transactions'),
      subscriptionLabelsAdd: await http.post(`${ofSubscription}/labels/add`, { name: 'route', value: 'North' }),
      subscriptionLabelsEdit: await http.post(`${ofSubscription}/labels/edit`, { name: 'route', value: 'South' }),
      subscriptionLabelsBrowse: await http.get(`${ofSubscription}/labels/browse`),
      subscriptionLabelsDelete: await http.post(`${ofSubscription}/labels/delete`, { name: 'route' }),
      pauseSubscription: await http.post(`${ofSubscription}/pause`, owner),
      resumeSubscription: await http.post(`${ofSubscription}/resume`, owner),
      cancelSubscription: await http.post(`${ofSubscription}/cancel`, owner),
      getInvoiceDetail: await http.get(`/platform/invoice/${invoice_id}/detail`),
      getTransactionByPgId: await http.get(`/platform/reporting/transactions/bypgid/${pgIdOrig}`),
      addCheckout: checkout,
      getCheckout: await http.get(`/platform/checkout/${checkout.data.data.checkout_id}`),
      createInvoice: await http.post('/platform/invoice', INVOICE_BODY),
      sendInvoice: await http.post(`/platform/invoice/${invoice_id}/send`, {}),
      updateDraftInvoice: await http.put(`/platform/invoice/${draft}/draft`, {
        customer_id: 'CUST0001',
        invoice_number: 'INV-9',
      }),
      updateOutstandingInvoice: await http.put(`/platform/invoice/${invoice_id}/outstanding`, {}),
      copyInvoice: await http.post(`/platform/invoice/${invoice_id}/copy`, {}),
      updateInvoicePayment: await http.put(await paymentOf(1), {
        type: 'CASH',
        amt_paid: 2,
        date_payment: '2026-11-21',
      }),
      removeInvoicePayment: await http.delete(await paymentOf(1)),
      resendInvoice: await http.post(`/platform/invoice/${invoice_id}/resend`, {}),
      addInvoicePayment: await http.post(`/platform/invoice/${invoice_id}/payments`, {
        type: 'CHECK',
        amt_paid: 1,
        date_payment: '2026-11-21',
      }),
      addBillingCard: withCard,
      getBillingCards: await http.get(`${vault}/billing`),
      updateBillingCard: await http.put(`${vault}/billing`, { card_id, exp_date: '1231' }),
      setPrimaryBillingCard: await http.put(`${vault}/billing/primary`, { card_id }),
      deleteBillingCard: await http.put(`${vault}/billing/delete`, { card_id }),
      addShippingAddress: withAddress,
      getShippingAddresses: await http.get(`${vault}/shipping`),
      updateShippingAddress: await http.put(`${vault}/shipping`, { ...address, shipping_id }),
      setPrimaryShippingAddress: await http.put(`${vault}/shipping/primary`, { shipping_id }),
      deleteShippingAddress: await http.delete(`${vault}/shipping/${shipping_id}`),
      deleteCustomer: await http.delete(vault),
      cancelInvoice: await http.delete(`/platform/invoice/${invoice_id}/cancel`),
      browseInvoicePaymentsById: await http.get(`/platform/invoice/${invoice_id}/payments`),
      browseCustomers: await http.get('/platform/vault/customer'),
      getTransactionRequests: await http.get('/platform/reporting/transaction-requests'),
      browseSettlements: await http.get('/platform/reporting/statement-report/settlement'),
      createDispute: await http.get(`/platform/dispute/${merchant_id}/create`),
      getPayee: await http.get('/platform/vault/payee/9001'),
      updatePayeeAccount: await http.post('/platform/vault/payee/account/9001', {
        tr_number: '021000021',
        dda_number: '123456789',
      }),
      deletePayee: await http.delete('/platform/vault/payee/9001'),
      submitAccountUpdater: updater,
      getAccountUpdaterSummary: await http.get(`/platform/aus/request/summary/${updater.data.data.request_id}`),
      addWebhook: await http.post('/platform/webhook', { notification_url: 'https://example.com/hook', label: 'Test' }),
    };
    const asked = async ({ operationId, method, path }: ContractOperation) => {
      const { path: names, query: params, body: data } = exampleRequest(operationId);
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => String(names[name]));
      return await http.request<unknown>({ method, url, params, ...(method !== 'GET' && { data }) });
    };
    const document = new InterfaceDocument();
    const validators = createValidators(document);
    for (const operation of document.operations) {
      const answer = answers[operation.operationId] ?? (await asked(operation));
      const problems = validators(operation).answer(answer.data);
      expect([operation.operationId, answer.status, problems]).toEqual([operation.operationId, 200, []]);
      expect(JSON.stringify(answer.data)).toMatch(/"code":0|"rcode":"000"|"verified_date"/);
    }
  });
});
