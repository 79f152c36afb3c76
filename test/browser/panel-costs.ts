import type { CDPSession } from 'playwright-core';

import { median } from '../../bench/figures';
import type { Editor } from './editor';

/** Processor time in milliseconds below which the editor is idle. */
const IDLE = { pauseMs: 150, workMs: 15 };
/** Number of times that a round opens a node. */
const OPENINGS = 3;

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

type Round = Record<'open' | 'resource' | 'operation', number[]>;

/** Processor times in milliseconds for this package's node and for n8n's Stripe node. */
export interface PanelCost {
  step: keyof Round;
  ours: number;
  stripe: number;
}

export interface Rounds {
  least: number;
  most: number;
  isEnough: (costs: PanelCost[]) => boolean;
}

/** Measures the processor time for opening and changing the payment node and the Stripe node. */
export async function measurePanels(editor: Editor, { least, most, isEnough }: Rounds): Promise<PanelCost[]> {
  const session = await editor.page.context().newCDPSession(editor.page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const costs: Record<Name, Round[]> = { 'Payment Platform': [], Stripe: [] };
  // Uses the minimum, because other work on the computer only increases the processor time.
  const cost = (name: Name, step: PanelCost['step']): number => {
    const [first, ...others] = costs[name].map((round) => round[step]);
    return median(
      (first ?? []).map((value, index) => Math.min(value, ...others.map((round) => round[index] ?? value))),
    );
  };
  const measured = (): PanelCost[] =>
    (['open', 'resource', 'operation'] as const).map((step) => ({
      step,
      ours: cost('Payment Platform', step),
      stripe: cost('Stripe', step),
    }));
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
  while (open.length < OPENINGS) {
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
