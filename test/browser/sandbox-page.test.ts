import type { Browser, Page } from 'playwright-core';

import { startSandbox, type Sandbox } from '../../sandbox';
import { findBarriers, openPage, startBrowser, takePictures } from './browser';

const PHONE = { width: 390, height: 900 };

describe("The sandbox's page", () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let page: Page;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 });
    browser = await startBrowser();
    page = await openPage(browser, 1200);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(sandbox.overviewUrl);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  const send = async (path: string, body: object) =>
    await fetch(`${sandbox.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${sandbox.credentials.test.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const news = async (text: string | RegExp) => await page.locator('#news', { hasText: text }).waitFor();

  test('a user copies the key by keyboard', async () => {
    await button('Copy API Key (test)').focus();
    await page.keyboard.press('Enter');
    await news('Copied: API Key (test)');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sandbox.credentials.test.apiKey);
  });

  test('a user reaches each control by keyboard, and each has a visible focus', async () => {
    await page.reload();
    const reached = new Set<string>();
    for (;;) {
      await page.keyboard.press('Tab');
      const [tag, name, outline] = await page.evaluate<[string, string, string]>(
        '(({ tagName, textContent }, { outlineStyle }) => [tagName, textContent, outlineStyle])(document.activeElement, getComputedStyle(document.activeElement))',
      );
      if (tag === 'BODY') break;
      reached.add(name);
      expect([name, outline]).toEqual([name, 'solid']);
    }
    for (const name of ['Invoices', 'Move on five days', 'Decline', 'HTTP 429', 'Copy', 'Pay this invoice'])
      expect(reached).toContain(name);
  });

  test('a user moves the clock, and the page shows what became due', async () => {
    const data = [{ card_number: '4111111111111111', exp_date: '1227' }];
    await send('/platform/aus/add', { data });
    const row = page.locator('#updater + table tbody tr');
    await row.getByText('queued').waitFor();
    await button('Move on five days').click();
    await row.getByText('completed').waitFor();
    await news('The clock moved.');
  });

  test('a user settles the captured sales, and the sandbox sends their deposits', async () => {
    sandbox.control.addCapturedSales({ count: 1, amountCents: 4321 });
    const row = page.locator('#charges + table tbody tr', { hasText: '43.21' });
    await row.getByText('captured').waitFor();
    await button('Move on one day').click();
    await row.getByText(/settled|deposit sent/).waitFor();
    // The sandbox sends deposits 12 hours after it closes the batch, so one day may be too short.
    await button('Move on one day').click();
    await row.getByText('deposit sent').waitFor();
  });

  test('a user makes the next response fail, and the failure disappears after its request', async () => {
    await button('HTTP 500').click();
    await news('The failure is waiting for its request.');
    const waiting = page.getByText('responds with HTTP 500');
    await waiting.waitFor();
    await takePictures(page, 'sandbox');
    expect(await findBarriers(page)).toEqual([]);
    expect((await send('/platform/checkout', { amt_tran: 10 })).status).toBe(500);
    await waiting.waitFor({ state: 'detached' });
    expect((await send('/platform/checkout', { amt_tran: 10 })).status).toBe(200);
    await page.getByText('Open this checkout').waitFor();
  });

  test('an open message stays open, and the focus stays in place, while the page updates', async () => {
    const [invoice] = sandbox.control.state().invoices.filter(({ status }) => status === 'OUTSTANDING');
    await send(`/platform/invoice/${invoice?.invoice_id}/resend`, {});
    const message = page.locator('#messages + table summary').first();
    await message.focus();
    await page.keyboard.press('Enter');
    const text = page.getByText('It is due on').locator('visible=true');
    await text.waitFor();
    sandbox.control.addCustomers(1);
    await page.getByText('Customers (26)').waitFor();
    await text.waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    await takePictures(page, 'sandbox-message');
  });

  test('a phone shows the page without cut words or problems', async () => {
    await page.setViewportSize(PHONE);
    await takePictures(page, 'sandbox-phone');
    expect(await findBarriers(page)).toEqual([]);
    const [wide, seen] = await page.evaluate<number[]>('[document.body.scrollWidth, window.innerWidth]');
    expect(wide).toBeLessThanOrEqual(seen ?? 0);
  });

  test('the checkout page has no accessibility problems', async () => {
    const body = { amt_tran: 25, customer_id: 'CUST0001', checkout_profile_id: 3001 };
    const { data } = (await (await send('/platform/checkout', body)).json()) as { data: { checkout_link: string } };
    const checkout = await openPage(browser);
    await checkout.goto(data.checkout_link);
    await checkout.locator('#card_number').waitFor();
    await takePictures(checkout, 'checkout');
    expect(await findBarriers(checkout)).toEqual([]);
    // Submits the empty form by script, because the browser stops users from submitting it.
    await checkout.evaluate('document.forms[0].submit()');
    await checkout
      .getByText(/Enter|not valid/)
      .first()
      .waitFor();
    expect(await findBarriers(checkout)).toEqual([]);
  });
});
