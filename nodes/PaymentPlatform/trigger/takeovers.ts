import { sleep } from 'n8n-workflow';

import type { KeyStore } from '../n8n/key-row';
import type { Marks } from './marks';
import type { SignsOfLife } from './signs-of-life';

/** Time in which only one process may take deliveries over. If it is killed, the others wait up to twice this time. */
const LOCK_MS = 60_000;
const MOST_TRIES = 12;
const PAUSE_MS = 3_000;
/** Time to gather the deliveries of a killed execution, of which there may be thousands. */
const GATHERING_MS = 500;
/** Time for parallel writes of other processes to end. */
const SETTLING_MS = 2_000;

interface Orphan {
  identity: string;
  executionId: string;
  open: string;
  by: string;
}

interface Wish extends Orphan {
  told: (isTaken: boolean) => void;
  failed: (error: unknown) => void;
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
    return await new Promise((told, failed) => {
      this.wishes.push({ ...orphan, told, failed });
      if (this.wishes.length > 1) return;
      void sleep(GATHERING_MS).then(async () => {
        const wishes = this.wishes.splice(0);
        try {
          const taken = await this.takeAll(store, wishes);
          for (const wish of wishes) wish.told(taken.includes(wish));
        } catch (error) {
          for (const wish of wishes) wish.failed(error);
        }
      });
    });
  }

  private async takeAll(store: KeyStore, orphans: Orphan[]): Promise<Orphan[]> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const period = Math.floor(Date.now() / LOCK_MS);
      // A process whose next period has begun has only one of these keys in common.
      const locks = [`takeover ${period}`, `takeover ${period + 1}`];
      const taken = await this.marks.exclusively(store, locks, async () => await this.takeFree(store, orphans));
      if (taken) return taken;
      await sleep(PAUSE_MS);
    }
    return [];
  }

  private async takeFree(store: KeyStore, orphans: Orphan[]): Promise<Orphan[]> {
    const running = await this.signs.find(store);
    const keysOf = ({ identity, executionId, open }: Orphan) => [
      open,
      ...running.filter((id) => id !== executionId).map((id) => byKey(id, identity)),
    ];
    const found = await this.marks.find(store, orphans.flatMap(keysOf));
    // Its execution may have ended in the meantime.
    const isFree = (orphan: Orphan) => keysOf(orphan).every((key) => found.has(key) === (key === orphan.open));
    const seen = new Set<string>();
    const isFirst = ({ identity }: Orphan) => !seen.has(identity) && seen.add(identity);
    const free = orphans.filter((orphan) => isFree(orphan) && isFirst(orphan));
    const signs = [...new Set(free.map(({ executionId }) => executionId))].flatMap((id) => this.signs.keysOf(id));
    const own = [...free.map(({ by }) => by), ...signs];
    this.marks.spare(own);
    // Another process may overwrite the keys.
    for (let lost = new Set(own); lost.size > 0; lost = await this.marks.add(store, own)) {
      await this.marks.add(store, own);
      await sleep(SETTLING_MS);
    }
    return free;
  }
}
