import type { Browser } from 'playwright-core';

import { openPage, startBrowser, takePictures } from './browser';
import { Editor } from './editor';
import { saveNodes, values } from './workflows';

const CUSTOMER = { __rl: true, mode: 'id', value: 'CUST0001' };
const NODES = [
  { name: 'Invoice', parameters: { resource: 'invoice', operation: 'create' } },
  {
    name: 'Declined',
    parameters: { resource: 'transaction', operation: 'sale', customer_id: CUSTOMER, amt_tran: '0.51' },
  },
  {
    name: 'Wrong Amount',
    parameters: { resource: 'transaction', operation: 'sale', customer_id: CUSTOMER, amt_tran: '12.345' },
  },
];

describe('The panel of the node', () => {
  let browser: Browser;
  let editor: Editor;
  let workflow: string;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser, 1400));
    workflow = await saveNodes('Panel', NODES);
    await editor.page.goto(workflow);
    await editor.signIn();
  });
  afterAll(async () => await browser?.close());

  beforeEach(async () => await editor.openWorkflow(workflow, 'Invoice'));

  test('a search for "refund" adds a node that refunds', async () => {
    const { page } = editor;
    await editor.testId('node-creator-plus-button').click();
    await editor.testId('node-creator-search-bar').fill('refund');
    await editor.testId('node-creator-item-name').getByText('Payment Platform', { exact: true }).first().waitFor();
    await takePictures(page, 'search');
    await editor.testId('node-creator-item-name').getByText('Payment Platform', { exact: true }).first().click();
    await editor
      .testId('node-creator-item-name')
      .getByText('Refund or void transaction', { exact: true })
      .first()
      .click();
    await editor.panel.waitFor();
    expect(await editor.parameter('resource').locator('input').first().inputValue()).toBe('Transaction');
    expect(await editor.parameter('operation').locator('input').first().inputValue()).toBe('Refund');
    await editor.parameter('pg_id').waitFor();
    await takePictures(page, 'added');
  });

  test('the trigger describes a way to cause an event while the trigger waits for the event', async () => {
    const { page, panel } = editor;
    await editor.searchTrigger('dispute');
    await editor.foundItems.getByText('Payment Platform', { exact: true }).first().click();
    // Chooses an event that no other test causes, so that the trigger keeps waiting.
    await editor.foundItems.getByText('On dispute updated', { exact: true }).first().click();
    await editor.testId('node-credentials-select').first().click();
    await page.getByText('Payment Platform (Sandbox)', { exact: true }).locator('visible=true').first().click();
    await editor.testId('node-execute-button').first().click();
    await panel.getByText('Listening for test event').waitFor();
    await panel.getByText('choose "Pay this invoice"').waitFor();
    await takePictures(page, 'trigger-waiting');
    await panel.getByRole('button', { name: 'Stop Listening' }).first().click();
    await panel.getByText('Listening for test event').waitFor({ state: 'hidden' });
  });

  test('the customer picker lists customers and finds a customer by name', async () => {
    await editor.open('Invoice');
    const picker = editor.parameter('customer_id');
    await picker.locator('input').last().click();
    const items = editor.testId('rlc-item');
    await items.first().waitFor();
    await takePictures(editor.page, 'customer-picker');
    const [name = ''] = (await items.first().innerText()).split('\n');
    await editor.testId('rlc-search').fill('CUST0003');
    await items.filter({ hasText: 'CUST0003' }).first().click();
    expect(name).not.toBe('');
    expect(await picker.locator('input').last().inputValue()).toContain('CUST0003');
  });

  test('a declined charge shows the outcome and the reason', async () => {
    await editor.open('Declined');
    await editor.executeStep(/insufficient funds/);
    await takePictures(editor.page, 'declined');
    expect(await editor.output.innerText()).toContain('The service said: Decline (code 051)');
  });

  test('the message about a wrong amount contains the allowed amounts and the actual amount', async () => {
    await editor.open('Wrong Amount');
    await editor.executeStep(/12\.345/);
    await takePictures(editor.page, 'wrong-amount');
    expect(await editor.output.innerText()).toMatch(/"Amount" .*\(found .*12\.345/);
  });

  test('the credential test fails with a wrong key and passes with the right one', async () => {
    await editor.open('Invoice');
    await editor.testId('credential-edit-button').first().click();
    const key = editor.testId('parameter-input-apiKey').locator('input').first();
    const save = async (text: string) => {
      await key.fill(text);
      await editor
        .testId('credential-save-button')
        .getByRole('button')
        .or(editor.testId('credential-save-button'))
        .first()
        .click();
    };
    await save('wrong');
    await editor.page.getByText('More details').click();
    await editor.page
      .getByText(/API Key is wrong/)
      .first()
      .waitFor();
    await takePictures(editor.page, 'credential-failed');
    await save(values().apiKey);
    await editor.page.getByText('Connection tested successfully').waitFor();
    await takePictures(editor.page, 'credential-passed');
  });
});
