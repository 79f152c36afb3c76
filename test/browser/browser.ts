import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { source as axeSource, type AxeResults } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

import { dataFolder, root } from '../../host/paths';

const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
/** Timeout for each page action in milliseconds. The value allows for slow machines. */
const LIMIT_MS = 60_000;
const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** Folder to which a test run writes its screenshots. */
const picturesFolder = join(dataFolder, 'browser');

/** Starts Chromium from the path in the environment variable CHROMIUM, or from Debian's default path. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error(`There is no Chromium at ${executablePath}. Set CHROMIUM to its path.`);
  return await chromium.launch({ executablePath, args: ARGUMENTS });
}

/** Opens a page in the light theme. */
export async function openPage(browser: Browser, width = 1280, height = 900): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light', reducedMotion: 'reduce' });
  page.setDefaultTimeout(LIMIT_MS);
  return page;
}

/** Returns browser code that checks whether the background of the page is light or dark as the theme requires. */
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

/** Runs an action in the light theme, then in the dark theme. Switches the page back to the light theme at the end. */
export async function inBothThemes(page: Page, action: (theme: Theme) => Promise<void>): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.waitForFunction(isIn(theme));
    await action(theme);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.waitForFunction(isIn('light'));
}

/**
 * Takes a screenshot of the page in the light and in the dark theme. If the variable PICTURES is set and the caller
 * passes a size, also writes the light screenshot to docs/images.
 * @param size width and height in pixels. Defaults to the size of the page.
 */
export async function takePictures(page: Page, name: string, size?: { width: number; height: number }): Promise<void> {
  mkdirSync(picturesFolder, { recursive: true });
  const usual = page.viewportSize();
  if (size) await page.setViewportSize(size);
  await inBothThemes(page, async (theme) => {
    await page.screenshot({ path: join(picturesFolder, `${name}-${theme}.png`), animations: 'disabled' });
    if (theme === 'light' && size && process.env.PICTURES)
      await page.screenshot({ path: join(root, 'docs', 'images', `${name}.png`), animations: 'disabled' });
  });
  if (size && usual) await page.setViewportSize(usual);
}

/** Minimum contrast between a field's border and background (WCAG 2.2, 1.4.11). axe-core doesn't check borders. */
const LEAST_CONTRAST = 3;

/**
 * Returns browser code that lists the text fields and menus with low border contrast. The page must have loaded
 * axe-core.
 */
const FAINT_BORDERS = `(() => {
  const { Color, getContrast } = axe.commons.color;
  const read = (text) => { const color = new Color(); color.parseString(text); return color; };
  return [...document.querySelectorAll('input[type=text], select')].filter((field) => {
    const { borderTopColor, backgroundColor } = getComputedStyle(field);
    return getContrast(read(backgroundColor), read(borderTopColor)) < ${LEAST_CONTRAST};
  }).map(({ id }) => id);
})()`;

/**
 * Returns the accessibility problems of the page in both themes: violations that axe-core finds, and low border
 * contrast.
 */
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
