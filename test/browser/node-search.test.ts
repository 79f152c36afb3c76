import type { Browser } from 'playwright-core';

import { openPage, startBrowser } from './browser';
import { demo } from './demo';
import { Editor } from './editor';

const WORDS = [
  'ACH payment',
  'bill a customer',
  'charge customer',
  'bank transfer',
  'e-check',
  'collect money',
  'tax',
  'refund',
  'payment link',
  'payout',
  'chargeback',
  'subscription',
];

describe("n8n's list of nodes", () => {
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser));
    await editor.page.goto(demo().crmWorkflow);
    await editor.signIn();
    await editor.createWorkflow();
  });
  afterAll(async () => await browser?.close());

  const search = async (words: string): Promise<string[]> => {
    await editor.testId('canvas-handle-plus').click();
    await editor.search(words);
    const names = editor.testId('node-creator-item-name');
    await names.first().waitFor();
    const found = (await names.allInnerTexts()).map((name) => name.trim());
    await editor.page.keyboard.press('Escape');
    await names.first().waitFor({ state: 'detached' });
    return found;
  };

  test.each(WORDS)('shows the node first for "%s"', async (words) => {
    expect((await search(words))[0]).toBe('Payment Platform');
  });

  /**
   * n8n adds up to 100 points for a popular node whose name contains these letters. The change from a small to a capital
   * letter in the alias "aCH" adds 30 points.
   */
  test('shows the node without scrolling for "ACH"', async () => {
    expect((await search('ACH')).slice(0, 8)).toContain('Payment Platform');
  });
});
