import type { IExecuteFunctions } from 'n8n-workflow';

import { Digests, Origins } from './digests';
import { identifyWrite } from './identify-write';
import { placeOf } from '../model/item-steps';
import { currentRound, type Round } from '../n8n/count-rounds';
import { isTool } from '../n8n/lineage';
import type { Account, PlannedRequest } from '../model/types';

/**
 * What identifies a write: its content, with the number of equal items before it in the execution, and its place among all
 * items of the execution. Neither depends on how a loop cuts the items into rounds. A tool's call is identified by what it
 * does.
 */
export class Contents {
  private readonly digests: Digests;
  readonly isTool: boolean;
  private readonly origins: Origins;
  private readonly occurrences: number[];
  /** The same of each share, by its place. */
  private readonly ofShares = new Map<string, number>();
  private readonly itemsBefore: number;

  constructor(context: IExecuteFunctions, account: Account, requests: PlannedRequest[]) {
    const node = context.getNode();
    this.isTool = isTool(node);
    this.digests = new Digests(account, node.parameters);
    this.origins = new Origins(context, this.digests);
    const round = this.isTool ? undefined : currentRound(context);
    this.itemsBefore = round?.itemsBefore ?? 0;
    this.occurrences = round ? this.counted(round, requests, context.getInputData().length) : [];
  }

  /** Which of the execution's equal items each item of the round is. */
  private counted(round: Round, requests: PlannedRequest[], items: number): number[] {
    round.own = {};
    for (const request of requests) {
      if (!request.shares) this.origins.of(request);
      for (const share of request.shares ?? [])
        this.ofShares.set(placeOf(share), this.count(this.digests.request(share), round));
    }
    return Array.from({ length: items }, (_, item) => this.count(this.origins.ofItem(item), round));
  }

  private count(digest: string, { own, before }: Round): number {
    const inRound = own[digest] ?? 0;
    own[digest] = inRound + 1;
    return (before[digest] ?? 0) + inRound;
  }

  of(request: PlannedRequest): string {
    if (request.whole)
      return this.digests.of([
        'share',
        this.digests.account,
        this.digests.request(request),
        this.ofShares.get(placeOf(request)),
      ]);
    const which = () => this.occurrences[request.items[0] ?? 0];
    const what = this.isTool ? ['tool', identifyWrite(request)] : ['item', this.origins.of(request), which()];
    return this.digests.of(['journal', this.digests.account, request.part, what]);
  }

  place({ items, part }: PlannedRequest): string | undefined {
    return this.isTool ? undefined : `${this.itemsBefore + (items[0] ?? 0)}.${part}`;
  }

  /** By content alone, of whatever execution. */
  bare(request: PlannedRequest): string[] {
    if (this.isTool) return [this.digests.of(['journal', identifyWrite(request)])];
    if (request.whole) return [`share ${this.digests.request(request)}`];
    return [this.digests.request(request), this.origins.of(request)].map((digest) => `${request.part} ${digest}`);
  }
}
