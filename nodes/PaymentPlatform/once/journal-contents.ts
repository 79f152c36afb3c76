import type { IExecuteFunctions } from 'n8n-workflow';

import { Digests } from './digests';
import { readFiles } from '../service/read-files';
import { identifyWrite } from './identify-write';
import { originalRequest } from '../model/item-steps';
import { currentRound, type Round } from '../n8n/count-rounds';
import { isTool } from '../n8n/is-tool';
import type { Account, PlannedRequest } from '../model/types';

/** The place of a write in its round. */
export const placeOf = ({ items, part }: PlannedRequest): string => `${items[0] ?? 0}.${part}`;

/**
 * What identifies a write: its content, with the number of equal items before it in the execution, and its place among all
 * items of the execution. Neither depends on how a loop cuts the items into rounds. A tool's call is identified by what it
 * does.
 */
export class Contents {
  private readonly digests: Digests;
  readonly isTool: boolean;
  private readonly origins = new Map<number, string>();
  private readonly occurrences: number[];
  /** The same of each share, by its place. */
  private readonly ofShares = new Map<string, number>();
  private readonly itemsBefore: number;

  constructor(
    private readonly context: IExecuteFunctions,
    account: Account,
    requests: PlannedRequest[],
  ) {
    const node = context.getNode();
    this.isTool = isTool(node);
    this.digests = new Digests(account, node.parameters);
    const round = this.isTool ? undefined : currentRound(context);
    this.itemsBefore = round?.itemsBefore ?? 0;
    this.occurrences = round ? this.counted(round, requests) : [];
  }

  /** Which of the execution's equal items each item of the round is. */
  private counted(round: Round, requests: PlannedRequest[]): number[] {
    round.own = {};
    for (const request of requests) {
      if (!request.shares) this.origin(request);
      for (const share of request.shares ?? [])
        this.ofShares.set(placeOf(share), this.count(this.digests.request(share), round));
    }
    return this.context.getInputData().map(({ json }, item) => {
      return this.count(this.origins.get(item) ?? this.digests.origin([json]), round);
    });
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
    const what = this.isTool ? ['tool', identifyWrite(request)] : ['item', this.origin(request), which()];
    return this.digests.of(['journal', this.digests.account, request.part, what]);
  }

  place({ items, part }: PlannedRequest): string | undefined {
    return this.isTool ? undefined : `${this.itemsBefore + (items[0] ?? 0)}.${part}`;
  }

  /** By content alone, of whatever execution. */
  bare(request: PlannedRequest): string[] {
    if (this.isTool) return [this.digests.of(['journal', identifyWrite(request)])];
    if (request.whole) return [`share ${this.digests.request(request)}`];
    return [this.digests.request(request), this.origin(request)].map((digest) => `${request.part} ${digest}`);
  }

  /** What a request was made from; of an item that is made into several requests it is the same. */
  private origin(request: PlannedRequest): string {
    const asked = originalRequest(request);
    const [item = 0, ...others] = asked.items;
    const known = this.origins.get(item);
    if (known !== undefined && others.length === 0) return known;
    const input = this.context.getInputData();
    const inputs = asked.items.map((one) => input[one]?.json);
    const origin = this.digests.origin(inputs, readFiles(asked));
    if (others.length === 0) this.origins.set(item, origin);
    return origin;
  }
}
