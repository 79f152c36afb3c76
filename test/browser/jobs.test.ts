import type { Browser } from 'playwright-core';

import { sandboxCredentials } from '../../sandbox/state/environment';
import { openPage, startBrowser, takePictures } from './browser';
import { demo } from './demo';
import { Editor } from './editor';
import { saveNodes, values, type NodeToTest } from './workflows';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const PDF = `return [{ json: {}, binary: { data: {
  data: Buffer.from('%PDF-1.4').toString('base64'), mimeType: 'application/pdf', fileName: 'evidence.pdf',
} } }];`;
const ROWS = `return ['10', '12,50', '-3'].map((amount) => ({ json: { amount } }));`;

describe('Jobs of a user in the editor', () => {
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser, 1400, 1300));
    await editor.page.goto(demo().crmWorkflow);
    await editor.signIn();
  });
  afterAll(async () => await browser?.close());

  /** Each job has its own workflow, because n8n 2.41.1 can fail to run a second node of a loaded workflow. */
  const openNode = async (name: string, parameters: NodeToTest['parameters'], rows?: string) => {
    await editor.page.goto(await saveNodes(name, [{ name, parameters }], rows));
    await editor.open(name);
  };
  const choose = async (parameter: string, label: string) => {
    await editor.field(parameter).click();
    await editor.entry(label).click();
    await editor.waitForParameters();
  };
  const pick = async (parameter: string, text: string | RegExp = '') => {
    await editor.field(parameter).click();
    await editor.testId('rlc-item').filter({ hasText: text }).first().click();
  };
  /** Sends a request without the node. */
  const call = async (path: string, body?: object) => {
    const { baseUrl } = values();
    const headers = { authorization: `Basic ${sandboxCredentials('test').token}`, 'content-type': 'application/json' };
    const { status } = await fetch(`${baseUrl}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers,
    });
    expect(status).toBe(200);
  };

  test('creates and sends an invoice with one node', async () => {
    await openNode('Send Now', { resource: 'invoice', operation: 'create', sendNow: true });
    await pick('customer_id');
    await editor.field('invoice_number').fill('JOB-1');
    await editor.field('description').fill('Consulting');
    await editor.field('unit_cost').fill('25');
    await takePictures(editor.page, 'job-send-now');
    await editor.executeStep(/Created invoice JOB-1 .* for 25\.00 USD and sent it by email/);
  });

  test('refunds all that is left of an order, and the service calls it a refund', async () => {
    const card = { card_number: '4111111111111111', exp_date: '1235' };
    const { merchantId: merchant_id } = values();
    await call('/pg/sale', { ...card, merchant_id, amt_tran: 20, purchase_id: 'JOB-2' });
    await openNode('Order', { resource: 'transaction', operation: 'refund' });
    await editor.parameter('pg_id').locator('input').first().click();
    await editor.entry('By Reference').click();
    await editor.field('pg_id').fill('JOB-2');
    await editor.field('amt_tran').fill('5.40');
    await editor.executeStep(/14\.60 USD can still be refunded/);
    await choose('refundAmount', 'All That Is Left');
    await takePictures(editor.page, 'job-refund-rest');
    await editor.executeStep(/14\.60 USD.* Nothing is left to refund/);
    const page = await openPage(browser, 1200);
    await page.goto(demo().service);
    await page.locator('#charges + table tbody tr', { hasText: 'refund' }).first().waitFor();
    await page.close();
  });

  test('responds to a dispute that the list describes, with a file from another node', async () => {
    await call(`/platform/dispute/${values().merchantId}/create`);
    await openNode('Respond', { resource: 'dispute', operation: 'respond' }, PDF);
    await pick('rec_id', /due about .* accept or respond/);
    await editor.panel.locator('[data-test-id=collection-parameter-add] input').first().click();
    await editor.entry('Message').click();
    await editor.parameter('message').locator('textarea').fill('The customer signed for the delivery.');
    await takePictures(editor.page, 'job-dispute');
    await editor.executeStep(/Sent the evidence for dispute/);
  });

  test('starts a monthly subscription, and sees the date of the first payment', async () => {
    await openNode('Subscribe', { resource: 'subscription', operation: 'create' });
    await pick('customer_id');
    await editor.field('recur_amt').fill('25');
    expect(await editor.field('plan_frequency').inputValue()).toBe('Monthly');
    expect(await editor.field('endsAfter').inputValue()).toBe('When Canceled');
    await takePictures(editor.page, 'job-subscription');
    await editor.executeStep(/25\.00 USD a month, first payment on \d{4}-\d\d-\d\d/);
  });

  test('sees all wrong rows before anything is sent', async () => {
    const charge = { resource: 'transaction', operation: 'sale', customer_id: byId('CUST0001') };
    await openNode('Rows Stop', { ...charge, amt_tran: '={{ $json.amount }}' }, ROWS);
    await editor.executeStep(/2 of 3 rows have errors\. Nothing was sent\. Row 2 of 3/);
    await editor.waitForOutput(/Row 3.*To send the other row, set "On Error" to "Continue"/);
    await takePictures(editor.page, 'job-wrong-rows');
  });

  test('submits a saved card, moves the clock, and reads the new expiration date', async () => {
    await openNode('Submit', { resource: 'accountUpdater', operation: 'submitSaved' });
    await pick('card_id', '1111');
    await editor.executeStep(/Submitted 1 saved card/);
    const page = await openPage(browser, 1200);
    await page.goto(demo().service);
    await page.getByRole('button', { name: 'Move on five days' }).click();
    await page.locator('#updater + table tbody tr').first().getByText('completed').waitFor();
    await page.close();
    await openNode('Updated', { resource: 'accountUpdater', operation: 'getDetails' });
    await pick('request_id');
    await editor.executeStep(/New expiration date \d\d\/\d\d/);
    await takePictures(editor.page, 'job-updater');
  });
});
