import type { Locator, Page } from 'playwright-core';

import { soon } from './browser';
import { demo, type Demo } from './demo';

type Login = Pick<Demo, 'email' | 'password'>;

const byId = (id: string) => `[data-test-id="${id}"]`;
/** Browser code that checks whether n8n shows the canvas. Before, n8n moves the nodes. */
const IS_CANVAS_SHOWN = `(() => {
  const canvas = document.querySelector('${byId('canvas')}');
  return canvas !== null && getComputedStyle(canvas).opacity === '1';
})()`;

/** Drives n8n's editor in a browser page. Each method waits until the editor shows the result. */
export class Editor {
  constructor(readonly page: Page) {}

  async signIn({ email, password }: Login = demo()): Promise<void> {
    await this.page.fill('input[name=emailOrLdapLoginId]', email);
    await this.page.fill('input[type=password]', password);
    await this.page.click(byId('form-submit-button'));
    await this.page.waitForURL((url) => !url.pathname.includes('signin'));
  }

  async waitForNode(name: string): Promise<void> {
    await this.node(name).waitFor();
    await this.page.waitForFunction(IS_CANVAS_SHOWN);
  }

  async searchTrigger(words: string): Promise<void> {
    const { origin } = new URL(demo().crmWorkflow);
    await this.page.goto(`${origin}/workflow/new`);
    await this.page.waitForFunction(IS_CANVAS_SHOWN);
    await this.testId('canvas-plus-button').click();
    await this.search(words);
  }

  async createWorkflow(): Promise<void> {
    await this.searchTrigger('manual');
    await this.found('Manual Trigger').click();
    await this.testId('canvas-handle-plus').waitFor();
  }

  /** Searches for a node of the package, chooses an action and appends the node. */
  async addAction(words: string, action: string): Promise<void> {
    await this.testId('canvas-handle-plus').click();
    await this.search(words);
    await this.found('Payment Platform').click();
    await this.found(action).click();
    await this.waitForParameters();
  }

  /**
   * Searches n8n's list of nodes, and waits for the button that clears the search. Before n8n shows this button, clicks
   * can have no effect (n8n.md#driving-n8n-in-tests).
   */
  async search(words: string): Promise<void> {
    await this.testId('node-creator-search-bar').fill(words);
    await this.testId('search-bar').locator('[data-icon="circle-x"]').waitFor();
  }

  /** Returns the node or action with this name in n8n's list of nodes. */
  found(name: string): Locator {
    return this.testId('node-creator-item-name').getByText(name, { exact: true });
  }

  node(name: string): Locator {
    return this.page.locator(`${byId('canvas-node')}[data-node-name="${name}"]`);
  }

  async waitForSuccess(name: string): Promise<void> {
    await this.node(name).locator(byId('canvas-node-status-success')).waitFor();
  }

  async open(name: string): Promise<void> {
    await this.waitForNode(name);
    await this.node(name).dblclick();
    await this.waitForParameters();
  }

  /** Waits until the panel shows all parameters, including lists, which n8n loads last. */
  async waitForParameters(): Promise<void> {
    await this.parameter('operation').or(this.parameter('mode')).first().waitFor();
    await this.panel.locator('.async-notice').first().waitFor({ state: 'hidden' });
  }

  async close(): Promise<void> {
    await this.page.locator(byId('ndv-close-button')).first().click();
    await this.panel.waitFor({ state: 'detached' });
  }

  get panel(): Locator {
    return this.page.locator(`${byId('ndv')}, .ndv-wrapper`).first();
  }

  get output(): Locator {
    return this.page.locator(byId('output-panel')).first();
  }

  parameter(name: string): Locator {
    return this.panel.locator(byId(`parameter-input-${name}`)).first();
  }

  /** Returns the input field of a parameter, which for a list of records follows the field for the list's mode. */
  field(parameter: string): Locator {
    return this.parameter(parameter).locator('input').last();
  }

  entry(label: string): Locator {
    return this.entries.filter({ hasText: new RegExp(`^\\s*${label}\\s*(?:$|[A-Z])`) }).first();
  }

  get entries(): Locator {
    return this.page.locator('.el-select-dropdown__item:visible, [role=option]:visible');
  }

  async chooseCredential(name: string): Promise<void> {
    const select = this.testId('node-credentials-select').locator('input');
    await select.click();
    await this.entries.filter({ has: this.page.getByText(name, { exact: true }) }).click();
    await soon(async () => expect(await select.inputValue()).toBe(name));
  }

  /** Runs the open node and waits until its output contains the text. */
  async executeStep(text: string | RegExp): Promise<void> {
    await this.panel.locator(byId('node-execute-button')).first().click();
    await this.waitForOutput(text);
  }

  async waitForOutput(text: string | RegExp): Promise<void> {
    await this.output.getByText(text).first().waitFor();
  }

  testId(id: string): Locator {
    return this.page.locator(byId(id));
  }
}
