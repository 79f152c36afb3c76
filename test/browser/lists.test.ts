import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import type { Browser, Locator } from 'playwright-core';

import { parameters } from '../../nodes/PaymentPlatform/description.data';
import { openPage, startBrowser, takePictures } from './browser';
import { Editor } from './editor';
import { saveNodes } from './workflows';

/** Ten operations that new users need first, with the labels of the rows that the test adds. */
const OPERATIONS: Array<[name: string, resource: string, operation: string, rows: string[]]> = [
  ['Charge', 'transaction', 'sale', ['Shipping Addresses', 'Shipping Address', 'Pair', 'Pair']],
  ['Refund', 'transaction', 'refund', ['Pair', 'Pair']],
  ['Create Invoice', 'invoice', 'create', []],
  ['Send Invoice', 'invoice', 'send', ['Email Address', 'Phone Number']],
  ['Get Many Invoices', 'invoice', 'getAll', ['Filter']],
  ['Create Checkout', 'checkout', 'create', []],
  ['Create Subscription', 'subscription', 'create', []],
  ['Create Plan', 'plan', 'create', []],
  ['Create Customer', 'customer', 'create', ['Billing Card', 'Shipping Address']],
  ['Update Customer', 'customer', 'update', ['Billing Card', 'Shipping Address']],
];

const LISTS = new Set(labelsOfLists(parameters()));

function labelsOfLists(declared: readonly INodeProperties[]): string[] {
  return declared.flatMap((one) => {
    const groups = (one.options ?? []).flatMap((option) =>
      one.type === 'fixedCollection' ? (option as INodePropertyCollection).values : (option as INodeProperties),
    );
    const inner = one.type === 'fixedCollection' || one.type === 'collection' ? labelsOfLists(groups) : [];
    return one.type === 'fixedCollection' || inner.length > 0 ? [one.displayName, ...inner] : inner;
  });
}

describe('Lists in the panel', () => {
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    browser = await startBrowser();
    editor = new Editor(await openPage(browser, 1400, 1400));
    const nodes = OPERATIONS.map(([name, resource, operation]) => ({ name, parameters: { resource, operation } }));
    await editor.page.goto(await saveNodes('Lists', nodes));
    await editor.signIn();
    await editor.waitForNode('Charge');
  });
  afterAll(async () => await browser?.close());

  async function openMenu(menu: Locator): Promise<Locator> {
    await menu.click();
    const entries = editor.page.locator(`[id="${await menu.getAttribute('aria-controls')}"] [role=option]`);
    await entries.first().waitFor();
    return entries;
  }

  async function addRows(): Promise<string[]> {
    const added: string[] = [];
    const empty = editor.panel.getByText('Currently no items exist');
    for (let left = await empty.count(); left > 0; left = await empty.count()) {
      const button = empty.first().locator('xpath=following::button[starts-with(normalize-space(.), "Add ")][1]');
      added.push((await button.innerText()).trim().replace('Add ', ''));
      const text = await empty.first().elementHandle();
      await button.click();
      await text?.waitForElementState('hidden');
      await editor.waitForParameters();
    }
    return added;
  }

  async function addRowsOfMenus(): Promise<string[]> {
    const added: string[] = [];
    const menus = editor.panel.locator('[data-test-id=collection-parameter-add] input');
    for (let index = 0; index < (await menus.count());) {
      const entries = await openMenu(menus.nth(index));
      const labels = (await entries.allTextContents()).map((label) => label.trim());
      const list = labels.findIndex((label) => LISTS.has(label));
      if (list < 0) {
        await editor.page.keyboard.press('Escape');
        index += 1;
        continue;
      }
      // A menu can contain a list that contains another menu.
      await entries.nth(list).click();
      await editor.panel
        .getByText(labels[list] ?? '', { exact: true })
        .first()
        .waitFor();
      await editor.waitForParameters();
      added.push(...(await addRows()));
    }
    return added;
  }

  test.each(OPERATIONS)(
    'the user can add a row to each list of the operation %s',
    async (name, _resource, _operation, rows) => {
      await editor.open(name);
      const added = [...(await addRows()), ...(await addRowsOfMenus())];
      await takePictures(editor.page, `lists-${name.toLowerCase().replaceAll(' ', '-')}`);
      expect(added.sort()).toEqual([...rows].sort());
      await editor.close();
    },
  );
});
