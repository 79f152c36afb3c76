import type { Locator, Page } from 'playwright-core';

import { demo, type Demo } from './demo';

type Login = Pick<Demo, 'email' | 'password'>;

const byId = (id: string) => `[data-test-id="${id}"]`;

/** Drives n8n's editor in a browser page. Each method waits until the editor shows the result. */
export class Editor {
  constructor(readonly page: Page) {}

  /** Enters the login on the sign-in page and waits until n8n opens another page. */
  async signIn({ email, password }: Login = demo()): Promise<void> {
    await this.page.fill('input[name=emailOrLdapLoginId]', email);
    await this.page.fill('input[type=password]', password);
    await this.page.click(byId('form-submit-button'));
    await this.page.waitForURL((url) => !url.pathname.includes('signin'));
  }

  /** Opens a workflow and waits until the canvas shows the node. */
  async openWorkflow(url: string, node: string): Promise<void> {
    await this.page.goto(url);
    await this.node(node).waitFor();
  }

  /** Opens a new workflow and searches n8n's list of triggers. */
  async searchTrigger(words: string): Promise<void> {
    const { origin } = new URL(demo().crmWorkflow);
    await this.page.goto(`${origin}/workflow/new`);
    await this.testId('canvas-plus-button').first().click();
    await this.testId('node-creator-search-bar').fill(words);
  }

  /** Creates a workflow that starts with n8n's Manual Trigger. */
  async createWorkflow(): Promise<void> {
    await this.searchTrigger('manual');
    await this.foundItems
      .getByText(/manual/i)
      .first()
      .click();
  }

  /** Searches for a node of the package, chooses an action and appends the node, as a user does. */
  async addAction(words: string, action: string): Promise<void> {
    await this.testId('canvas-handle-plus').last().click();
    await this.testId('node-creator-search-bar').fill(words);
    await this.foundItems.getByText('Payment Platform', { exact: true }).first().click();
    await this.foundItems.getByText(action, { exact: true }).first().click();
    await this.parameter('operation').waitFor();
  }

  /** Names of the nodes and actions in n8n's search results. */
  get foundItems(): Locator {
    return this.testId('node-creator-item-name');
  }

  node(name: string): Locator {
    return this.page.locator(`${byId('canvas-node')}[data-node-name="${name}"]`);
  }

  /** Opens the panel of a node. */
  async open(name: string): Promise<void> {
    await this.node(name).dblclick();
    await this.parameter('operation').or(this.parameter('mode')).first().waitFor();
  }

  async close(): Promise<void> {
    await this.page.locator(byId('ndv-close-button')).first().click();
    await this.panel.waitFor({ state: 'detached' });
  }

  /** Panel of the node that is open in the editor. */
  get panel(): Locator {
    return this.page.locator(`${byId('ndv')}, .ndv-wrapper`).first();
  }

  get output(): Locator {
    return this.page.locator(byId('output-panel')).first();
  }

  /** Input field of a parameter. */
  parameter(name: string): Locator {
    return this.panel.locator(byId(`parameter-input-${name}`)).first();
  }

  /** Chooses an option of a parameter by its label. */
  async choose(parameter: string, label: string): Promise<void> {
    await this.parameter(parameter).click();
    await this.entry(label).click();
  }

  /** Returns the entry with the label in the open menu. */
  entry(label: string): Locator {
    return this.entries.filter({ hasText: new RegExp(`^\\s*${label}\\s*(?:$|[A-Z])`) }).first();
  }

  /** Entries of the open menu. */
  get entries(): Locator {
    return this.page.locator('.el-select-dropdown__item:visible, [role=option]:visible');
  }

  /** Runs the open node and waits until its output contains the text. */
  async executeStep(text: string | RegExp): Promise<void> {
    await this.panel.locator(byId('node-execute-button')).first().click();
    await this.output.getByText(text).first().waitFor();
  }

  /** Runs the open node, waits for a text in its output, and waits until n8n hides the success notice. */
  async executeStepQuietly(text: string | RegExp): Promise<void> {
    const notice = this.page.getByText('Node executed successfully').first();
    // Waits for the notice while the step runs, because n8n may hide the notice before the output is complete.
    await Promise.all([notice.waitFor(), this.executeStep(text)]);
    await notice.waitFor({ state: 'hidden' });
  }

  testId(id: string): Locator {
    return this.page.locator(byId(id));
  }
}
