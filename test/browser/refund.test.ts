import axios from 'axios';
import type { Browser } from 'playwright-core';

import type { JournalEntry } from '../../sandbox';
import { openPage, soon, startBrowser, takePictures } from './browser';
import { demo } from './demo';
import { Editor } from './editor';

const PANEL = { width: 1280, height: 900 };

describe('A user of the tutorial "Refund a sale"', () => {
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser));
    await editor.page.goto(demo().crmWorkflow);
    await editor.signIn();
  });
  afterAll(async () => await browser?.close());

  const control = (path: string) => `${demo().service}_sandbox/${path}`;
  const refunds = async () => (await axios.get<JournalEntry[]>(control('journal?operationId=refund'))).data;

  test('the user selects a sale from the list and refunds part of the sale', async () => {
    await editor.createWorkflow();
    await editor.addAction('refund', 'Refund or void transaction');
    await editor.chooseCredential('Payment Platform (Sandbox)');
    await editor.field('pg_id').click();
    const sale = editor.testId('rlc-item').first();
    await sale.waitFor();
    await takePictures(editor.page, 'refund-sale', PANEL);
    await sale.click();
    await editor.field('amt_tran').fill('1');
    await editor.executeStep(/Refunded 1\.00/);
    await takePictures(editor.page, 'refund-done', PANEL);
  });

  test('the user who clicks the row of omitted sales keeps no sale', async () => {
    await editor.field('pg_id').click();
    await editor.testId('rlc-item').filter({ hasText: 'not shown' }).click();
    await soon(async () => expect(await editor.field('pg_id').inputValue()).toContain('not shown'));
    await editor.executeStep(/"Transaction" must be a record/);
    await editor.field('pg_id').click();
    await editor.testId('rlc-item').filter({ hasNotText: 'not shown' }).first().click();
  });

  test('the user sees that the node found a refund with a lost response and sent each refund once', async () => {
    const before = (await refunds()).length;
    await axios.post(control('faults'), { kind: 'reset_after_apply', operationId: 'refund', calls: [1] });
    await editor.field('amt_tran').fill('2');
    await editor.executeStep(/found_at_service/);
    await takePictures(editor.page, 'refund-found', PANEL);
    const all = await refunds();
    expect(all).toHaveLength(before + 1);
    expect(all.filter(({ applied }) => applied === null)).toEqual([]);
  });
});
