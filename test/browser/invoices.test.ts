import axios from 'axios';
import type { Browser, Page } from 'playwright-core';

import { findBarriers, openPage, soon, startBrowser, takePictures } from './browser';
import { demo } from './demo';
import { Editor } from './editor';

const INVOICES = ['CRM-2001', 'CRM-2002', 'CRM-2003', 'CRM-2004', 'CRM-2005'];
const CANVAS = { width: 1280, height: 560 };
const TABLE = { width: 1280, height: 380 };
const PHONE = { width: 390, height: 900 };
/** Height in pixels of a table row with two lines. */
const TWO_LINES = 48;
/** Browser code that returns the heights of the rows of unpaid invoices. The page can replace its rows at any time. */
const HEIGHTS = `[...document.querySelectorAll('tr')]
  .filter((row) => row.textContent.includes('unpaid'))
  .map((row) => row.getBoundingClientRect().height)`;

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

  const expectTable = async (...statuses: string[]) => {
    await editor.page.goto(demo().crmTable);
    const cells = editor.page.getByRole('gridcell', { name: /^(open|invoiced|paid)$/ });
    await cells.nth(INVOICES.length - 1).waitFor();
    expect((await cells.allInnerTexts()).sort()).toEqual(statuses);
  };

  test('a new user signs in with the printed login and sees the CRM workflow', async () => {
    const { page } = editor;
    await page.goto(demo().crmWorkflow);
    await page.locator('[data-test-id=auth-form]').waitFor();
    await takePictures(page, 'sign-in');
    await editor.signIn();
    await editor.waitForNode('Create Invoice');
    expect(page.url()).toMatch(new RegExp(`^${demo().crmWorkflow}`));
    await editor.testId('zoom-to-fit').click();
    await takePictures(page, 'crm-workflow', CANVAS);
  });

  test.each([
    ['CRM', () => demo().crmTable],
    ['sandbox page', () => demo().service],
  ])("a link in the workflow's note opens the %s", async (name, address) => {
    const opened = editor.page.context().waitForEvent('page');
    await editor.page.getByRole('link', { name, exact: true }).first().click();
    const page = await opened;
    await page.waitForURL(`${address()}**`);
    await page.close();
  });

  test('a new user executes the workflow and sees five sent invoices in the output', async () => {
    const { page } = editor;
    await editor.testId('execute-workflow-button').first().click();
    await editor.waitForSuccess('Invoices');
    await takePictures(page, 'crm-executed', CANVAS);
    await editor.open('Invoices');
    await editor.output.getByText('5 items').waitFor();
    for (const number of INVOICES) await editor.output.getByText(number, { exact: true }).first().waitFor();
    await soon(async () => expect(await editor.output.getByText('invoiced', { exact: true }).count()).toBe(5));
    await takePictures(page, 'crm-output');
    await editor.close();
    await expectTable('invoiced', 'invoiced', 'invoiced', 'invoiced', 'invoiced');
    await takePictures(page, 'crm-table', TABLE);
  });

  test("a new user sees the new invoices on the service's page", async () => {
    for (const number of [...INVOICES, 'LATE-10', 'LATE-40'])
      await service.getByText(number, { exact: true }).waitFor();
    await takePictures(service, 'service', { width: 1200, height: 1200 });
    expect(await findBarriers(service)).toEqual([]);
  });

  test("a phone displays each invoice on one line of the service's page", async () => {
    const usual = service.viewportSize();
    await service.setViewportSize(PHONE);
    await takePictures(service, 'service-phone');
    const heights = await service.evaluate<number[]>(HEIGHTS);
    expect(heights.length).toBeGreaterThan(0);
    for (const height of heights) expect(height).toBeLessThan(TWO_LINES);
    if (usual) await service.setViewportSize(usual);
  });

  test("while a user presses a link on the service's page, the page doesn't replace the link", async () => {
    await service.locator('tr', { hasText: 'CRM-2003' }).getByText('Pay this invoice').hover();
    await service.mouse.down();
    await axios.post(`${demo().service}_sandbox/customers`, { count: 1 });
    for (let update = 0; update < 3; update += 1) await service.waitForResponse(demo().service);
    await service.mouse.up();
    await service.locator('#card_number').waitFor();
    await service.goBack();
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
    await service.getByText('Payment received').waitFor();
    await takePictures(service, 'invoice-paid');
    expect(await findBarriers(service)).toEqual([]);

    await soon(async () => await expectTable('invoiced', 'invoiced', 'invoiced', 'invoiced', 'paid'));
    await takePictures(page, 'crm-paid', TABLE);
    await page.goto(`${new URL(demo().crmTable).origin}/home/executions`);
    const execution = page.locator('tr', { hasText: 'Paid invoice updates the CRM row' });
    await execution.getByText('Success').first().waitFor();
    await takePictures(page, 'paid-execution');
  });
});
