import type { CDPSession } from 'playwright-core';

import { median } from '../../bench/figures';
import { N8nRest } from '../../host/rest';
import { PASSWORD, startHost, type Host } from '../e2e/host';
import { node, own } from '../e2e/workflows';
import { openPage, startBrowser } from './browser';
import { Editor } from './editor';

/** Processor time in milliseconds below which the editor is idle. */
const IDLE = { pauseMs: 150, workMs: 15 };
/** Number of times that a round repeats each step. */
const TIMES = 3;

const STEPS = {
  'Payment Platform': {
    resources: ['Customer', 'Transaction', 'Invoice'],
    operations: ['Cancel', 'Get Many', 'Create'],
  },
  Stripe: {
    resources: ['Customer Card', 'Token', 'Charge'],
    operations: ['Get Many', 'Update', 'Create'],
  },
};
type Name = keyof typeof STEPS;
const NAMES = ['Payment Platform', 'Stripe'] as const;

const STEP_NAMES = ['open', 'resource', 'operation'] as const;

type Round = Record<(typeof STEP_NAMES)[number], number[]>;

/** Median processor times in milliseconds for this package's node and for n8n's Stripe node. */
export interface PanelCost {
  step: keyof Round;
  ours: number;
  stripe: number;
  /** Median of the ratios of single rounds. */
  ratio: number;
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

export interface Rounds {
  least: number;
  most: number;
  isEnough: (costs: PanelCost[]) => boolean;
}

const savePanels = async (host: Host): Promise<string> =>
  await host.rest.saveWorkflow({
    name: 'Panels',
    nodes: [
      own(host, 'Payment Platform', { resource: 'invoice', operation: 'create' }),
      node('Stripe', 'n8n-nodes-base.stripe', { resource: 'charge', operation: 'create' }, { position: [0, 220] }),
    ],
    connections: {},
    settings: {},
  });

/**
 * Measures the processor time for opening and changing the payment node and the Stripe node in an n8n instance of its
 * own, because each saved credential makes the payment node's panel slower.
 */
export async function measurePanels(rounds: Rounds): Promise<PanelCost[]> {
  const host = await startHost({ env: { N8N_DISABLE_UI: 'false' } });
  const browser = await startBrowser();
  try {
    const editor = new Editor(await openPage(browser, 1500));
    await editor.page.goto(`${host.n8n.baseUrl}/workflow/${await savePanels(host)}`);
    await editor.signIn({ email: N8nRest.ownerEmail, password: PASSWORD });
    await editor.waitForNode('Stripe');
    return await measureRounds(editor, rounds);
  } finally {
    await browser.close();
    await host.stop();
  }
}

async function measureRounds(editor: Editor, { least, most, isEnough }: Rounds): Promise<PanelCost[]> {
  const session = await editor.page.context().newCDPSession(editor.page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const costs: Record<Name, Round[]> = { 'Payment Platform': [], Stripe: [] };
  const measured = (): PanelCost[] =>
    STEP_NAMES.map((step) => {
      const [ours = [], stripe = []] = NAMES.map((name) => costs[name].map((round) => sum(round[step])));
      // Compares within a round, because other work on the computer slows down both nodes of a round.
      const ratio = median(ours.map((cost, round) => cost / (stripe[round] ?? 0)));
      return { step, ours: median(ours) / TIMES, stripe: median(stripe) / TIMES, ratio };
    });
  for (let round = 0; round <= least || (round <= most && !isEnough(measured())); round += 1)
    for (const name of NAMES) {
      const one = await measureRound(editor, session, name);
      // Ignores the first measurement, in which the browser loads the editor's code.
      if (round > 0) costs[name].push(one);
    }
  return measured();
}

async function measureRound(editor: Editor, session: CDPSession, name: Name): Promise<Round> {
  const { resources, operations } = STEPS[name];
  const open: number[] = [];
  while (open.length < TIMES) {
    if (open.length > 0) await editor.close();
    open.push(await costOf(editor, session, async () => await editor.open(name)));
  }
  const resource: number[] = [];
  for (const label of resources) resource.push(await costOfChoice(editor, session, 'resource', label));
  const operation: number[] = [];
  for (const label of operations) operation.push(await costOfChoice(editor, session, 'operation', label));
  await editor.close();
  return { open, resource, operation };
}

async function costOfChoice(editor: Editor, session: CDPSession, parameter: string, label: string): Promise<number> {
  const opened = await costOf(editor, session, async () => await editor.parameter(parameter).click());
  const entry = editor.entry(label);
  await entry.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await entry.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const click = async () => await editor.page.mouse.click(x + width / 2, y + height / 2);
  const applied = await costOf(editor, session, click);
  const chosen = await editor.parameter(parameter).locator('input').first().inputValue();
  if (chosen !== label) throw new Error(`The editor shows ${chosen} instead of ${label}.`);
  return opened + applied;
}

/** Returns the processor time in milliseconds that a step takes on the editor's main thread. */
async function costOf(editor: Editor, session: CDPSession, step: () => Promise<void>): Promise<number> {
  const before = await taskTime(session);
  await step();
  let last = before;
  for (;;) {
    await editor.page.waitForTimeout(IDLE.pauseMs);
    // On a busy computer, the editor can be waiting for the processor during the whole pause.
    await editor.page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
    const now = await taskTime(session);
    if (now - last < IDLE.workMs) return now - before;
    last = now;
  }
}

async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}
