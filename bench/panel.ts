import { measurePanels } from '../test/browser/panel-costs';
import { print } from './table';

/**
 * Compares the time that n8n's editor takes to show this node and the Stripe node. Environment variable: ROUNDS
 * (default 5).
 */
const ROUNDS = Number(process.env.ROUNDS ?? 5);

async function main(): Promise<void> {
  const costs = await measurePanels({ least: ROUNDS, most: ROUNDS, isEnough: () => true });
  for (const [index, { step, ours, stripe, ratio }] of costs.entries()) {
    const row = { step, 'Payment Platform (ms)': Math.round(ours), 'Stripe (ms)': Math.round(stripe) };
    print({ ...row, ratio: ratio.toFixed(2) }, index === 0);
  }
}

void main();
