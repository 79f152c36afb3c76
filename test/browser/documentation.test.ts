import type { Browser, Page } from 'playwright-core';

import { openPage, startBrowser } from './browser';
import { demo } from './demo';

describe('A user of the documentation', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startBrowser();
    page = await openPage(browser);
  });
  afterAll(async () => await browser?.close());

  test('the link of npm start opens the overview', async () => {
    await page.goto(demo().documentation);
    await page.waitForURL('**/README.html');
    await page.locator('h1', { hasText: 'Payment Platform' }).waitFor();
  });

  test('the sidebar lists the guides for users first, and those for developers in a closed group', async () => {
    await page.goto(`${demo().documentation}docs/README.html`);
    const titles = page.locator('.VPSidebar .group h2');
    expect(await titles.allInnerTexts()).toEqual([
      'Tutorials',
      'How-to guides',
      'Reference',
      'Explanation',
      'For developers',
    ]);
    const sidebar = page.locator('.VPSidebar');
    expect(await sidebar.getByText('Export or send a report').isVisible()).toBe(true);
    expect(await sidebar.getByText('Publish a release').isVisible()).toBe(false);
  });

  test.each([
    ['how do I refund', 'Refund a sale'],
    ['what happens when n8n crashes', 'Resolve an unknown outcome'],
  ])('a search for "%s" opens the page "%s"', async (words, title) => {
    await page.locator('.VPNavBarSearch button').first().click();
    await page.locator('.search-input').fill(words);
    await page.locator('.results .result').first().getByText(title).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: title }).waitFor();
  });
});
