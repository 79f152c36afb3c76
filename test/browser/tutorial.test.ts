import type { Browser } from 'playwright-core';

import { findBarriers, openPage, startBrowser, takePictures } from './browser';
import { demo } from './demo';
import { Editor } from './editor';
import { createCheckout, values } from './workflows';

/** Viewport size at which the screenshots show the line items of an invoice and the key of a credential. */
const PANEL = { width: 1280, height: 1000 };

describe('A user with an account', () => {
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser));
  });
  afterAll(async () => await browser?.close());

  /** Enters a value in the open credential. */
  async function enter(name: string, value: string): Promise<void> {
    await editor.testId(`parameter-input-${name}`).locator('input').last().fill(value);
  }

  async function executeAndShow(text: RegExp, picture: string): Promise<void> {
    await editor.executeStepQuietly(text);
    await takePictures(editor.page, picture, PANEL);
  }

  test('the user enters the package name in the settings', async () => {
    const { page } = editor;
    await page.goto(`${new URL(demo().crmWorkflow).origin}/settings/community-nodes`);
    await editor.signIn();
    await page.getByRole('button', { name: 'Install a community node' }).click();
    await page.getByRole('dialog').locator('input').first().fill('n8n-nodes-payment-platform');
    await takePictures(page, 'install', { width: 1280, height: 640 });
  });

  test('the user adds the node and creates a credential, which n8n tests', async () => {
    const { page } = editor;
    await editor.createWorkflow();
    await editor.addAction('invoice', 'Create invoice');
    await editor.testId('node-credentials-select').first().click();
    await page.getByText('Create new credential').locator('visible=true').first().click();
    const { baseUrl, merchantId, apiKey } = values();
    await enter('baseUrl', baseUrl);
    await enter('merchantId', merchantId);
    await enter('apiKey', apiKey);
    await editor.testId('credential-save-button').first().click();
    const passed = page.getByText('Connection tested successfully');
    const edit = editor.testId('credential-edit-button').first();
    // n8n's editor closes a new credential automatically after a successful test, so the test may have to reopen the
    // credential.
    await passed.or(edit).first().waitFor();
    if (!(await passed.isVisible())) await edit.click();
    await passed.waitFor();
    await page.getByText('Credential successfully created').waitFor({ state: 'hidden' });
    await takePictures(page, 'credential', PANEL);
  });

  test('the user creates a draft invoice for a customer from the list', async () => {
    const { page } = editor;
    await page.keyboard.press('Escape');
    await page.getByText('Connection tested successfully').waitFor({ state: 'hidden' });
    if (!(await editor.panel.isVisible())) await editor.open('Create invoice');
    await editor.parameter('customer_id').locator('input').last().click();
    await editor.testId('rlc-item').filter({ hasText: 'Hansen' }).first().click();
    await editor.parameter('invoice_number').locator('input').fill('INV-7001');
    await editor.panel.getByRole('button', { name: 'Add Line Item' }).click();
    await editor.parameter('description').locator('input').fill('Consulting');
    await editor.parameter('unit_cost').locator('input').fill('25');
    await executeAndShow(/Created draft invoice INV-7001 for 25\.00 USD/, 'create-invoice');
    await editor.close();
  });

  test("the user sends an invoice after dragging the invoice's ID from the input", async () => {
    const { page } = editor;
    await editor.addAction('invoice', 'Send invoice');
    await editor.panel.getByText('invoice_id', { exact: true }).first().hover();
    await page.mouse.down();
    const target = await editor.parameter('invoice_id').boundingBox();
    if (!target) throw new Error('The panel shows no field for the invoice.');
    const { x, y, width, height } = target;
    for (const part of [0.4, 0.5, 0.6]) await page.mouse.move(x + width * part, y + height / 2);
    await page.mouse.up();
    await editor.panel.getByText('{{ $json.invoice_id }}').first().waitFor();
    // Clicks outside the expression, because the expression's preview covers the next field.
    await editor.panel.getByText('Operation', { exact: true }).first().click();
    await editor.panel.getByRole('button', { name: 'Add Email Address' }).click();
    await editor.panel.getByPlaceholder('ana@example.com').last().fill('you@example.com');
    await executeAndShow(/Sent invoice \d+ by email to you@example\.com/, 'send-invoice');
    await editor.panel.getByRole('button', { name: 'Execute step' }).first().click();
    await editor.output
      .getByText(/This invoice was already sent/)
      .first()
      .waitFor();
  });

  test('the page of a checkout has no accessibility problems', async () => {
    const { page } = editor;
    await page.goto(await createCheckout());
    await page.locator('#card_number').waitFor();
    await takePictures(page, 'checkout');
    expect(await findBarriers(page)).toEqual([]);
    // Submits the empty form by script, because the browser blocks an empty form that a user submits.
    await page.evaluate('document.forms[0].submit()');
    await page
      .getByText(/Enter|not valid/)
      .first()
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});
