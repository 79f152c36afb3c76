import type { Browser } from 'playwright-core';

import { openPage, soon, startBrowser, takePictures } from './browser';
import { demo } from './demo';
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
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser, 1400));
    await editor.page.goto(await saveNodes('Panel', NODES));
    await editor.signIn();
    await editor.waitForNode('Invoice');
  });
  afterAll(async () => await browser?.close());

  test('a search for "refund" adds a node that refunds', async () => {
    const { page } = editor;
    await editor.testId('node-creator-plus-button').click();
    await editor.search('refund');
    await editor.found('Payment Platform').waitFor();
    await takePictures(page, 'search');
    await editor.found('Payment Platform').click();
    await editor.found('Refund or void transaction').click();
    await editor.parameter('pg_id').waitFor();
    await soon(async () => {
      expect(await editor.field('resource').inputValue()).toBe('Transaction');
      expect(await editor.field('operation').inputValue()).toBe('Refund');
    });
    await takePictures(page, 'added');
    await editor.close();
  });

  test('the links to the documentation open pages that exist', async () => {
    await editor.open('Invoice');
    const links = async () => {
      const anchors = await editor.page.locator('a[href]:visible').all();
      const all = await Promise.all(anchors.map(async (one) => String(await one.getAttribute('href'))));
      return all.filter((link) => link.startsWith(demo().documentation));
    };
    const ofNode = await links();
    await editor.testId('credential-edit-button').first().click();
    await editor.testId('parameter-input-apiKey').waitFor();
    const all = [...new Set([...ofNode, ...(await links())])];
    expect(all.map((link) => link.replace(/\?.*$/, '')).sort()).toEqual([
      `${demo().documentation}README.html`,
      `${demo().documentation}README.html#credential`,
    ]);
    for (const link of all) {
      const text = await (await fetch(link)).text();
      expect(text).toContain('id="credential"');
    }
    await editor.page.keyboard.press('Escape');
    await editor.panel.waitFor({ state: 'detached' });
  });

  test('the customer picker lists customers and finds a customer by name', async () => {
    await editor.open('Invoice');
    const picker = editor.field('customer_id');
    await picker.click();
    const items = editor.testId('rlc-item');
    await items.first().waitFor();
    await takePictures(editor.page, 'customer-picker');
    const [name = ''] = (await items.first().innerText()).split('\n');
    await editor.testId('rlc-search').fill('CUST0003');
    await items.filter({ hasNotText: 'CUST0003' }).first().waitFor({ state: 'hidden' });
    await items.filter({ hasText: 'CUST0003' }).click();
    expect(name).not.toBe('');
    await soon(async () => expect(await picker.inputValue()).toContain('CUST0003'));
    await editor.close();
  });

  test('a declined charge shows the outcome and the reason', async () => {
    await editor.open('Declined');
    await editor.executeStep(/insufficient funds/);
    await editor.waitForOutput('The service said: Decline (code 051)');
    await takePictures(editor.page, 'declined');
    await editor.close();
  });

  test('the message about a wrong amount contains the allowed amounts and the actual amount', async () => {
    await editor.open('Wrong Amount');
    await editor.executeStep(/"Amount" .*\(found .*12\.345/);
    await takePictures(editor.page, 'wrong-amount');
    await editor.close();
  });

  test('the credential test fails with a wrong key and passes with the right one', async () => {
    await editor.open('Invoice');
    await editor.testId('credential-edit-button').first().click();
    const key = editor.testId('parameter-input-apiKey').locator('input').first();
    const save = async (text: string) => {
      await key.fill(text);
      await editor.testId('credential-save-button').click();
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

  test('while waiting for an event, the trigger describes how to cause it', async () => {
    const { page, panel } = editor;
    await editor.searchTrigger('invoice');
    await editor.found('Payment Platform').click();
    // No other test causes this event, so the trigger keeps waiting.
    await editor.found('On invoice email undeliverable').click();
    await editor.chooseCredential('Payment Platform (Sandbox)');
    await editor.testId('node-execute-button').first().click();
    await panel.getByText('Listening for test event').waitFor();
    await panel.getByText('choose "Pay this invoice"').waitFor();
    await takePictures(page, 'trigger-waiting');
    await panel.getByRole('button', { name: 'Stop Listening' }).first().click();
    await panel.getByText('Listening for test event').waitFor({ state: 'hidden' });
  });
});
