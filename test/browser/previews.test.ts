import type { Browser } from 'playwright-core';

import { openPage, startBrowser, takePictures } from './browser';
import { Editor } from './editor';
import { saveNodes } from './workflows';

const CUSTOMER = { __rl: true, mode: 'id', value: 'CUST0001' };
const NODES = [
  {
    name: 'Preview',
    parameters: {
      ...{ resource: 'transaction', operation: 'sale', customer_id: CUSTOMER, amt_tran: '12.50' },
      options: { previewOnly: true },
    },
  },
  {
    name: 'Export',
    parameters: { resource: 'report', operation: 'getTransactions', returnAs: 'file', fileFormat: 'csv' },
  },
];

describe('Previews and files in the editor', () => {
  let browser: Browser;
  let editor: Editor;
  let workflow: string;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser, 1400));
    workflow = await saveNodes('Previews', NODES);
    await editor.page.goto(workflow);
    await editor.signIn();
    await editor.waitForNode('Preview');
  });
  afterAll(async () => await browser?.close());

  test('a preview shows what the node would send, and a hint shows that nothing was sent', async () => {
    await editor.open('Preview');
    await editor.executeStep(/Preview: nothing was sent/);
    await editor.waitForOutput('Would charge saved card to take payment');
    await takePictures(editor.page, 'preview');
  });

  test('an exported list is a file that the editor can show and download', async () => {
    // After a run of one node, n8n 2.41.1 can fail to run another node of the workflow until the page is loaded again.
    await editor.page.goto(workflow);
    await editor.open('Export');
    await editor.executeStep('transactions.csv');
    await editor.waitForOutput('text/csv');
    await takePictures(editor.page, 'export');
  });
});
