import { appendFileSync } from 'node:fs';

import { measurePanels } from './panel-costs';

/** Ratio of the processor times to n8n's Stripe node at which no more rounds are needed. */
const CLEAR = 1.65;
const MOST = 1.75;

test("n8n's editor displays the node, a resource and an operation in at most 1.75 times the Stripe node's processor time", async () => {
  const isEnough = (costs: Array<{ ratio: number }>) => costs.every(({ ratio }) => ratio <= CLEAR);
  const costs = await measurePanels({ least: 3, most: 12, isEnough });
  for (const { step, ours, stripe, ratio } of costs) {
    const times = `${step}: ${Math.round(ours)} ms, Stripe ${Math.round(stripe)} ms`;
    appendFileSync(1, `${times}, ratio ${ratio.toFixed(2)}\n`);
  }
  for (const { ratio } of costs) expect(ratio).toBeLessThan(MOST);
});
