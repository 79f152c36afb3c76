import type { Browser, Page } from 'playwright-core';

import { findBarriers, openPage, startBrowser, takePictures } from './browser';
import { demo } from './demo';
import { Editor } from './editor';

const INVOICES = ['CRM-2001', 'CRM-2002', 'CRM-2003', 'CRM-2004', 'CRM-2005'];
const CANVAS = { width: 1280, height: 560 };
const TABLE = { width: 1280, height: 380 };
const PHONE = { width: 390, height: 900 };
/** Height in pixels of a table row with two lines. */
const TWO_LINES = 48;

describe('A new user of the demo', () => {
  let browser: Browser;
  let editor: Editor;
  let service: Page;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser));
    service = await openPage(browser, 1200);
    await service.goto(demo().service);
  });
  afterAll(async () => await browser?.close());

  const openTable = async () => {
    await editor.page.goto(demo().crmTable);
    await editor.page.getByText(INVOICES[0] ?? '').waitFor();
  };
  /** Returns the number of rows with a status in the CRM table. */
  const countRows = async (status: string) => await editor.page.getByText(status, { exact: true }).count();

  test('a new user signs in with the printed login and sees the CRM workflow', async () => {
    const { page } = editor;
    await page.goto(demo().crmWorkflow);
    await page.locator('[data-test-id=auth-form]').waitFor();
    await takePictures(page, 'sign-in');
    await editor.signIn();
    await editor.node('Create Invoice').waitFor();
    expect(page.url()).toMatch(new RegExp(`^${demo().crmWorkflow}`));
    await editor.testId('zoom-to-fit').click();
    await takePictures(page, 'crm-workflow', CANVAS);
  });

  test('a new user executes the workflow and sees five sent invoices in the output', async () => {
    const { page } = editor;
    await editor.testId('execute-workflow-button').first().click();
    await page.getByText('Workflow executed successfully').waitFor();
    await takePictures(page, 'crm-executed', CANVAS);
    await editor.open('Invoices');
    await editor.output.getByText('5 items').waitFor();
    for (const number of INVOICES) await editor.output.getByText(number, { exact: true }).first().waitFor();
    expect(await editor.output.getByText('invoiced', { exact: true }).count()).toBe(5);
    await takePictures(page, 'crm-output');
    await editor.close();
    await openTable();
    expect(await countRows('invoiced')).toBe(5);
    await takePictures(page, 'crm-table', TABLE);
  });

  test("a new user sees the new invoices on the service's page", async () => {
    for (const number of [...INVOICES, 'LATE-10', 'LATE-40'])
      await service.getByText(number, { exact: true }).waitFor();
    await takePictures(service, 'service', { width: 1200, height: 900 });
    expect(await findBarriers(service)).toEqual([]);
  });

  test("a phone displays each invoice on the service's page in one line", async () => {
    const usual = service.viewportSize();
    await service.setViewportSize(PHONE);
    await takePictures(service, 'service-phone');
    const row = await service.locator('tr', { hasText: 'OUTSTANDING' }).first().boundingBox();
    expect(row?.height).toBeLessThan(TWO_LINES);
    if (usual) await service.setViewportSize(usual);
  });

  test("a new user pays an invoice on the invoice's page, and the workflow for paid invoices updates the CRM row", async () => {
    const { page } = editor;
    await service.locator('tr', { hasText: 'CRM-2003' }).getByText('Pay this invoice').click();
    await service.locator('#card_number').waitFor();
    await takePictures(service, 'invoice-page', { width: 760, height: 900 });
    expect(await findBarriers(service)).toEqual([]);
    await service.fill('#card_number', '4111 1111 1111 1111');
    await service.fill('#exp_date', '12/30');
    await service.fill('#cvv2', '123');
    await service.locator('button[type=submit]').click();
    await service.getByText(/paid/i).first().waitFor();
    await takePictures(service, 'invoice-paid');
    expect(await findBarriers(service)).toEqual([]);

    await openTable();
    while ((await countRows('paid')) === 0) await openTable();
    expect(await countRows('invoiced')).toBe(4);
    await takePictures(page, 'crm-paid', TABLE);
    await page.goto(`${new URL(demo().crmTable).origin}/home/executions`);
    const execution = page.locator('tr', { hasText: 'Paid invoice updates the CRM row' });
    await execution.getByText('Success').first().waitFor();
    await takePictures(page, 'paid-execution');
  });
});
