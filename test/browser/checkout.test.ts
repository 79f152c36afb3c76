import type { Browser } from 'playwright-core';

import { openPage, soon, startBrowser, takePictures } from './browser';
import { Editor } from './editor';
import { saveNodes } from './workflows';

describe('The panel of a new checkout link', () => {
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser, 1400, 1100));
    await editor.page.goto(
      await saveNodes('Link', [{ name: 'Link', parameters: { resource: 'checkout', operation: 'create' } }]),
    );
    await editor.signIn();
    await editor.open('Link');
  });
  afterAll(async () => await browser?.close());

  const names = async () => {
    const shown = await editor.panel.locator('[data-test-id^="parameter-input-"]').all();
    const ids = await Promise.all(shown.map(async (one) => await one.getAttribute('data-test-id')));
    return ids.map((id) => id?.replace('parameter-input-', ''));
  };

  const add = async (label: string) => {
    await editor.panel.locator('[data-test-id=collection-parameter-add] input').first().click();
    await editor.entry(label).click();
    await editor.waitForParameters();
  };

  test('asks for the amount, the customer and the reference, and creates a link', async () => {
    expect(await names()).toEqual(expect.arrayContaining(['amt_tran', 'customer_id', 'purchase_id']));
    for (const name of ['purpose', 'expire_in_secs', 'preferences', 'profileKind'])
      expect(await names()).not.toContain(name);
    await takePictures(editor.page, 'checkout-panel');
    await editor.field('amt_tran').fill('12.50');
    await editor.field('purchase_id').fill('ORDER-1001');
    await editor.executeStep(/Created a link to pay 12\.50/);
  });

  test('replaces the amount by the saved card in a link that updates a saved card', async () => {
    await add('Link Purpose');
    await editor.field('purpose').click();
    await editor.entry('Update a Saved Payment Method').click();
    await soon(async () => expect(await names()).not.toContain('amt_tran'));
    await add('Saved Card');
    await add('Link Expiration');
    await soon(async () =>
      expect(await names()).toEqual(expect.arrayContaining(['expire_in_secs', 'expire_in_secsUnit'])),
    );
    await takePictures(editor.page, 'checkout-update');
    await editor.field('customer_id').click();
    await editor.testId('rlc-item').first().click();
    await editor.field('card_id').click();
    await editor.testId('rlc-item').first().click();
    await editor.field('expire_in_secs').fill('14');
    await editor.executeStep(/to update a payment method, valid until/);
    await takePictures(editor.page, 'checkout-updated');
  });
});
