import { sleep } from 'n8n-workflow';

import type { KeyStore } from '../n8n/key-row';
import type { Marks } from './marks';
import type { SignsOfLife } from './signs-of-life';

/** Time for a process to take deliveries over in milliseconds, even with a slow database. */
const LOCK_MS = 60_000;
/** Time to gather deliveries in milliseconds. A killed execution may have had thousands. */
const GATHERING_MS = 500;
/** Time for parallel writes of other processes to end. */
const SETTLING_MS = 2_000;

interface Orphan {
  identity: string;
  executionId: string;
  open: string;
  by: string;
  /** Keys to record together with the takeover. */
  proofs: string[];
}

interface Wish extends Orphan {
  told: (isTaken: boolean) => void;
}

/** Returns the key of an execution that processes a delivery. */
export const byKey = (executionId: string, identity: string) => `by ${executionId} ${identity}`;

/** Takes over deliveries whose executions seem lost. Several processes may try this at the same time. */
export class Takeovers {
  private wishes: Wish[] = [];

  constructor(
    private readonly marks: Marks,
    private readonly signs: SignsOfLife,
  ) {}

  /** Returns whether the execution may process the delivery, because no other execution that still runs processes it. */
  async take(store: KeyStore, orphan: Orphan): Promise<boolean> {
    return await new Promise((told) => {
      this.wishes.push({ ...orphan, told });
      if (this.wishes.length === 1) void sleep(GATHERING_MS).then(async () => await this.takeAll(store));
    });
  }

  private async takeAll(store: KeyStore): Promise<void> {
    const wishes = this.wishes.splice(0);
    const task = async () => await this.takeFree(store, wishes);
    // If n8n's database fails, the executions wait once more.
    const taken = await this.marks.exclusively(store, 'takeover', task, LOCK_MS).catch((): Wish[] => []);
    for (const wish of wishes) wish.told(taken.includes(wish));
  }

  private async takeFree<One extends Orphan>(store: KeyStore, orphans: One[]): Promise<One[]> {
    const running = await this.signs.find(store);
    const keysOf = ({ identity, executionId, open }: One) => [
      open,
      ...running.filter((id) => id !== executionId).map((id) => byKey(id, identity)),
    ];
    const found = await this.marks.find(store, orphans.flatMap(keysOf));
    // Its execution may have ended in the meantime.
    const isFree = (orphan: One) => keysOf(orphan).every((key) => found.has(key) === (key === orphan.open));
    const seen = new Set<string>();
    const isFirst = ({ identity }: One) => !seen.has(identity) && seen.add(identity);
    const free = orphans.filter((orphan) => isFree(orphan) && isFirst(orphan));
    const signs = [...new Set(free.map(({ executionId }) => executionId))].flatMap((id) => this.signs.keysOf(id));
    const own = [...free.flatMap(({ by, proofs }) => [by, ...proofs]), ...signs];
    this.marks.spare(own);
    await this.marks.add(store, own);
    // Another process may overwrite the keys.
    do await sleep(SETTLING_MS);
    while ((await this.marks.add(store, own)).size > 0);
    return free;
  }
}
