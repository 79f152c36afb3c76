import { appendFileSync } from 'node:fs';

import type { Browser } from 'playwright-core';

import { openPage, startBrowser } from './browser';
import { Editor } from './editor';
import { measurePanels, type PanelCost } from './panel-costs';
import { saveNodes } from './workflows';

/** Ratio of the processor times to n8n's Stripe node at which no more rounds are needed. */
const CLEAR = 1.65;
const MOST = 1.75;
const ROUNDS = { least: 2, most: 12 };
const ratio = ({ ours, stripe }: PanelCost): number => ours / stripe;

describe('the editor', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => await browser?.close());

  test("the editor displays the node, a resource and an operation in at most 1.75 times the Stripe node's processor time", async () => {
    const editor = new Editor(await openPage(browser, 1500));
    const parameters = { resource: 'invoice', operation: 'create' };
    await editor.page.goto(await saveNodes('Speed', [{ name: 'Payment Platform', parameters }]));
    await editor.signIn();
    await editor.waitForNode('Stripe');
    const costs = await measurePanels(editor, {
      ...ROUNDS,
      isEnough: (measured) => measured.every((cost) => ratio(cost) <= CLEAR),
    });
    for (const { step, ours, stripe } of costs)
      appendFileSync(1, `${step}: ${Math.round(ours)} ms, Stripe ${Math.round(stripe)} ms\n`);
    for (const cost of costs) expect(ratio(cost)).toBeLessThan(MOST);
  });
});
