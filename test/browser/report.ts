import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { dataFolder } from '../../host/paths';
import { demo } from './demo';

export const picturesFolder = join(dataFolder, 'browser');
const MOST_CHARACTERS = { dialog: 100, text: 1500 };
/** Timeout for reading a page that may not respond. */
const LIMIT_MS = 10_000;

const DIALOGS = '[role=dialog]:visible, [role=alertdialog]:visible, .el-notification:visible';

/** Takes screenshots of the pages, and returns their addresses and texts without the demo's password. */
export async function describePages(pages: readonly Page[]): Promise<string> {
  mkdirSync(picturesFolder, { recursive: true });
  const reports: string[] = [];
  for (const [index, page] of pages.entries()) {
    if (page.isClosed()) continue;
    const picture = join(picturesFolder, `failed-${process.pid}-${index}.png`);
    await page.screenshot({ path: picture, timeout: LIMIT_MS }).catch(() => undefined);
    const dialogs = await page
      .locator(DIALOGS)
      .allInnerTexts()
      .catch(() => []);
    const text = await page.locator('body').innerText({ timeout: LIMIT_MS }).catch(String);
    reports.push(
      `Page ${page.url()}, screenshot ${picture}`,
      `Dialogs: ${dialogs.map((dialog) => shorten(dialog, MOST_CHARACTERS.dialog)).join(' | ') || 'none'}`,
      `Text: ${shorten(text, MOST_CHARACTERS.text)}`,
    );
  }
  return reports.join('\n').replaceAll(demo().password, '(password)');
}

function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most / 3)} ... ${line.slice((-most * 2) / 3)}`;
}
