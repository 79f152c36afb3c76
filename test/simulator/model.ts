import type { IDataObject } from 'n8n-workflow';

import { NODES, type AgentScript } from './nodes';
import { nameFields } from './parameters';
import { operationsOf, type Item, type ObjectName, type Schedule } from './schedule';

/** Number of agent runs that fail, so that only a retry of the execution succeeds. */
const FAILING_RUNS = 2;

/** Simulates an agent's chat model, which repeats some tool calls with different wording. */
export class Model {
  private words = 0;
  private ends = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly objects: ObjectName[],
  ) {}

  script(): AgentScript {
    const { items, agent } = this.schedule;
    const rounds = [items.map((_, index) => index), ...agent.again];
    return {
      rounds: rounds.map((round) =>
        operationsOf(this.schedule).flatMap((_, node) =>
          round.map((index) => ({ node: NODES[node] ?? '', input: this.call(items[index]) })),
        ),
      ),
      failsNow: () => this.fails(),
    };
  }

  private call(item?: Item): IDataObject {
    if (!item) return {};
    this.words += 1;
    const amount = item.cents / 100;
    return {
      ...nameFields(this.objects[item.object]),
      amount: this.words % 3 === 0 ? amount.toFixed(2) : amount,
      memo: `In other words ${this.words}`,
      place: `000${this.words % 10}`,
      means: this.words % 2 === 0 ? 'CASH' : 'CHECK',
    };
  }

  private fails(): boolean {
    this.ends += 1;
    return this.schedule.agent.fails && this.ends <= FAILING_RUNS;
  }
}
