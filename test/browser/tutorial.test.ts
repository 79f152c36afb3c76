import type { Browser } from 'playwright-core';

import { openPage, startBrowser, takePictures } from './browser';
import { demo } from './demo';
import { Editor } from './editor';
import { values } from './workflows';

/** Screenshot size that shows the line items of an invoice and the key of a credential. */
const PANEL = { width: 1280, height: 1000 };

describe('A user with an account', () => {
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser));
  });
  afterAll(async () => await browser?.close());

  async function enter(name: string, value: string): Promise<void> {
    await editor.testId(`parameter-input-${name}`).locator('input').last().fill(value);
  }

  async function executeAndShow(text: RegExp, picture: string): Promise<void> {
    await editor.executeStep(text);
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
    await editor.testId('node-credentials-select').click();
    await page.getByText('Create new credential').locator('visible=true').click();
    const { baseUrl, merchantId, apiKey } = values();
    await enter('baseUrl', baseUrl);
    await enter('merchantId', merchantId);
    await enter('apiKey', apiKey);
    const dialog = editor.testId('editCredential-modal');
    await editor.testId('credential-save-button').click();
    // n8n closes a new credential after a successful test, and tests the credential again when a user opens it.
    await dialog.waitFor({ state: 'detached' });
    await editor.testId('credential-edit-button').click();
    await dialog.getByText('Connection tested successfully').waitFor();
    await takePictures(page, 'credential', PANEL);
    await dialog.getByRole('button', { name: 'Close this dialog' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('the user creates a draft invoice for a customer from the list', async () => {
    await editor.field('customer_id').click();
    await editor.testId('rlc-item').filter({ hasText: 'Ines Hansen' }).click();
    await editor.field('invoice_number').fill('INV-7001');
    await editor.field('description').fill('Consulting');
    await editor.field('unit_cost').fill('25');
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
    await editor.panel.getByPlaceholder('ana@example.com').fill('you@example.com');
    await executeAndShow(/Sent invoice \d+ by email to you@example\.com/, 'send-invoice');
    await editor.executeStep(/This invoice was already sent/);
  });
});
