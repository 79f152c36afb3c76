import { existsSync } from 'node:fs';

import { chromium, type CDPSession, type Page } from 'playwright-core';

import { N8nRest } from '../host/rest';
import { PASSWORD, startHost, type Host } from '../test/e2e/host';
import { node, own } from '../test/e2e/workflows';
import { median } from './figures';
import { print } from './table';

/** Measures how long n8n's editor works to show this package's node, next to n8n's own Stripe node. */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
/** Time in milliseconds after which the editor has finished its work for a step. */
const SETTLING_MS = 700;

/** What a person does in the panel of a node: open it, choose other resources, and choose other operations. */
const STEPS = {
  'Payment Platform': {
    resources: ['Subscription', 'Customer', 'Transaction', 'Checkout', 'Invoice'],
    operations: ['Cancel', 'Get Many', 'Create'],
  },
  Stripe: {
    resources: ['Customer Card', 'Coupon', 'Token', 'Charge'],
    operations: ['Get Many', 'Update', 'Create'],
  },
};
type Name = keyof typeof STEPS;

class Editor {
  constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  /** Opens the panel of a node. */
  async open(name: Name): Promise<void> {
    await this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`).dblclick();
    await this.resource().waitFor();
  }

  async close(): Promise<void> {
    await this.page.locator('[data-test-id=ndv-close-button]').first().click();
    await this.resource().waitFor({ state: 'detached' });
  }

  /** Chooses an option of the parameter Resource or Operation. */
  async choose(parameter: 'resource' | 'operation', label: string): Promise<void> {
    await this.page.locator(`[data-test-id=parameter-input-${parameter}]`).first().click();
    const options = this.page.locator('.el-select-dropdown__item:visible, [role=option]:visible');
    await options
      .filter({ hasText: new RegExp(`^\\s*${label}\\s*(?:$|[A-Z])`) })
      .first()
      .click();
  }

  /** Returns the processor time in milliseconds that the editor's main thread takes for a step. */
  async cost(step: () => Promise<void>): Promise<number> {
    const before = await this.taskTime();
    await step();
    await this.page.waitForTimeout(SETTLING_MS);
    return (await this.taskTime()) - before;
  }

  private resource() {
    return this.page.locator('[data-test-id=parameter-input-resource]').first();
  }

  private async taskTime(): Promise<number> {
    const { metrics } = await this.session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }
}

async function openEditor(page: Page, host: Host): Promise<Editor> {
  const id = await host.rest.saveWorkflow({
    name: 'Panels',
    nodes: [
      own(host, 'Payment Platform', { resource: 'invoice', operation: 'create' }),
      node('Stripe', 'n8n-nodes-base.stripe', { resource: 'charge', operation: 'create' }, { position: [0, 220] }),
    ],
    connections: {},
    settings: {},
  });
  await page.goto(`${host.n8n.baseUrl}/signin`);
  await page.fill('input[name=emailOrLdapLoginId]', N8nRest.ownerEmail);
  await page.fill('input[type=password]', PASSWORD);
  await page.click('[data-test-id=form-submit-button]');
  await page.waitForURL((url) => !url.pathname.includes('signin'));
  await page.goto(`${host.n8n.baseUrl}/workflow/${id}`);
  await page.waitForSelector('[data-test-id=canvas-node]');
  await page.waitForTimeout(3000);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return new Editor(page, session);
}

/** Returns the costs of opening the node and of changing its resource and its operation. */
async function measure(editor: Editor, name: Name): Promise<Record<string, number[]>> {
  const { resources, operations } = STEPS[name];
  const open = [await editor.cost(async () => await editor.open(name))];
  const resource: number[] = [];
  for (const label of resources) resource.push(await editor.cost(async () => await editor.choose('resource', label)));
  const operation: number[] = [];
  for (const label of operations)
    operation.push(await editor.cost(async () => await editor.choose('operation', label)));
  await editor.close();
  return { open, resource, operation };
}

async function main(): Promise<void> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error(`There is no Chromium at ${executablePath}. Set CHROMIUM to its path.`);
  const host = await startHost();
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  try {
    const editor = await openEditor(await browser.newPage({ viewport: { width: 1500, height: 1000 } }), host);
    const costs: Record<Name, Record<string, number[]>> = { 'Payment Platform': {}, Stripe: {} };
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const name of ['Payment Platform', 'Stripe'] as const)
        for (const [step, values] of Object.entries(await measure(editor, name)))
          // The first round loads the editor's code.
          if (round > 0) (costs[name][step] ??= []).push(...values);
    for (const [index, step] of ['open', 'resource', 'operation'].entries()) {
      const [ours, stripe] = [median(costs['Payment Platform'][step] ?? []), median(costs.Stripe[step] ?? [])];
      const row = { step, 'Payment Platform (ms)': Math.round(ours), 'Stripe (ms)': Math.round(stripe) };
      print({ ...row, ratio: (ours / stripe).toFixed(2) }, index === 0);
    }
  } finally {
    await browser.close();
    await host.stop();
  }
}

void main();
