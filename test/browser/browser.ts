import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { source as axeSource, type AxeResults } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

import { root } from '../../host/paths';
import { describePages, picturesFolder } from './report';

const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
/** Timeout for each page action in milliseconds, long enough for slow machines. */
const LIMIT_MS = 120_000;
const PAUSE_MS = 100;
const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** Pages of the test file, which the test environment describes if a test fails. */
const pages: Page[] = [];
Object.assign(globalThis, { describePages: async () => await describePages(pages) });

/** Starts Chromium from the path in the variable CHROMIUM or from Debian's default path. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error(`There is no Chromium at ${executablePath}. Set CHROMIUM to its path.`);
  return await chromium.launch({ executablePath, args: ARGUMENTS });
}

export async function openPage(browser: Browser, width = 1280, height = 900): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light', reducedMotion: 'reduce' });
  page.setDefaultTimeout(LIMIT_MS);
  pages.push(page);
  return page;
}

/** Repeats checks until they pass. @throws the error of the last checks if they never pass. */
export async function soon(check: () => Promise<void>): Promise<void> {
  const until = Date.now() + LIMIT_MS;
  for (;;)
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
}

/** Returns browser code that checks whether the page's background matches the theme. */
const isIn = (theme: Theme): string => `(() => {
  const canvas = document.createElement('canvas').getContext('2d');
  for (const element of document.querySelectorAll('#app, #content, body, html')) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = getComputedStyle(element).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    if (alpha > 0) return (red + green + blue > 382) === ${theme === 'light'};
  }
  return ${theme === 'light'};
})()`;

export async function inBothThemes(page: Page, action: (theme: Theme) => Promise<void>): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.waitForFunction(isIn(theme));
    await action(theme);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.waitForFunction(isIn('light'));
}

/** Hides n8n's temporary notices, because they would cover parts of a picture. */
const WITHOUT_NOTICES = '.el-notification { display: none !important; }';

/**
 * Takes a screenshot without notices in both themes. Updates docs/images if PICTURES is set and the caller passes a
 * size.
 */
export async function takePictures(page: Page, name: string, size?: { width: number; height: number }): Promise<void> {
  mkdirSync(picturesFolder, { recursive: true });
  const usual = page.viewportSize();
  if (size) await page.setViewportSize(size);
  await inBothThemes(page, async (theme) => {
    const take = async (path: string) =>
      await page.screenshot({ path, animations: 'disabled', style: WITHOUT_NOTICES });
    await take(join(picturesFolder, `${name}-${theme}.png`));
    if (theme === 'light' && size && process.env.PICTURES) await take(join(root, 'docs', 'images', `${name}.png`));
  });
  if (size && usual) await page.setViewportSize(usual);
}

/** Minimum contrast between a field's border and background (WCAG 2.2, 1.4.11). */
const LEAST_CONTRAST = 3;

/** Returns browser code that lists the fields and menus with low border contrast. */
const FAINT_BORDERS = `(() => {
  const { Color, getContrast } = axe.commons.color;
  const read = (text) => { const color = new Color(); color.parseString(text); return color; };
  return [...document.querySelectorAll('input[type=text], select')].filter((field) => {
    const { borderTopColor, backgroundColor } = getComputedStyle(field);
    return getContrast(read(backgroundColor), read(borderTopColor)) < ${LEAST_CONTRAST};
  }).map(({ id }) => id);
})()`;

export async function findBarriers(page: Page): Promise<string[]> {
  const found: string[] = [];
  await inBothThemes(page, async (theme) => {
    await page.evaluate(axeSource);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    for (const { id, nodes } of violations)
      found.push(`${theme}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    const faint = await page.evaluate<string[]>(FAINT_BORDERS);
    found.push(...faint.map((id) => `${theme}: faint border at #${id}`));
  });
  return found;
}
