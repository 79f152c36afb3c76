import { appendFileSync } from 'node:fs';

import type { Browser } from 'playwright-core';

import { openPage, startBrowser } from './browser';
import { Editor } from './editor';
import { measurePanels } from './panel-costs';
import { saveNodes } from './workflows';

const ROUNDS = 2;
/** Most processor time of a step, as a multiple of the time for n8n's Stripe node. A busy computer can double it. */
const MOST = 4;

describe('the editor', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => await browser?.close());

  test('shows the node, another resource and another operation in at most four times the processor time of the Stripe node', async () => {
    const editor = new Editor(await openPage(browser, 1500));
    const parameters = { resource: 'invoice', operation: 'create' };
    await editor.page.goto(await saveNodes('Speed', [{ name: 'Payment Platform', parameters }]));
    await editor.signIn();
    await editor.node('Stripe').waitFor();
    const costs = await measurePanels(editor, ROUNDS);
    for (const { step, ours, stripe } of costs) {
      appendFileSync(1, `${step}: ${Math.round(ours)} ms, Stripe ${Math.round(stripe)} ms\n`);
      expect(ours / stripe).toBeLessThan(MOST);
    }
  });
});
