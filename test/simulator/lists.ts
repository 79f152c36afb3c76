import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import { invoice } from '../../nodes/PaymentPlatform/resources/invoice';
import { report } from '../../nodes/PaymentPlatform/resources/report';
import { listPage, type ListQuery } from '../../sandbox/core/lists';
import { NeverEnds, SimulatedClock } from './clock';
import { UNREADABLE, unreadableList } from './answers';
import { draw } from './draw';
import { drawHappening } from './draw-schedule';
import { execute, newDatabase } from './engine';
import { KEYS, MERCHANT_ID } from './keys';
import { NODES, simulatedNodeTypes } from './nodes';
import { Random } from './random';
import type { Happening, Schedule } from './schedule';
import { BASES, Wire } from './wire';

/** Random changes to a list while the node reads it. */
export interface ListSchedule {
  seed: number;
  count: number;
  /** Order of the records by ID. New records have higher IDs. */
  order: 'asc' | 'desc';
  /** Maximum number of records that the node returns. Defaults to all records. */
  limit?: number;
  parallel: number;
  maxTries: number;
  /** Records to add and remove before the response to a request. */
  changes: Array<{ before: number; added: number; removed: number[] }>;
  reads: Happening[];
  /** Whether the records have no IDs, as in a settlement report. */
  hasNoIds?: boolean;
  /** Way in which all responses from a request on are wrong. */
  lie?: { from: number; way: Lie };
}

/** `repeat`: every page is the first page. `more`: 100,000 pages are announced. `none`: no totals. */
type Lie = (typeof LIES)[number];
const LIES = [...UNREADABLE, 'repeat', 'more', 'none'] as const;
/** Maximum number of requests for a list of at most four pages, including retries. */
const MOST_REQUESTS = 60;

const SALT = 77_000_003;
const LONGEST_MS = 24 * 3_600_000;
/** Successful responses that contain no list. */
const NO_LIST: Array<Happening['kind']> = ['emptyRecord', 'textRecord'];

/** Generates list changes from a seed. The same seed generates the same changes. */
export function drawList(seed: number): ListSchedule {
  const random = new Random(seed + SALT);
  const count = random.pick([0, 1, 99, 100, 101, 199, 200, 230, 305]);
  const calm = random.pick([0, 0, 15, 40]);
  const reads = random.list(random.integer(0, 6), () => drawHappening(random, calm, true));
  return {
    seed,
    count,
    order: random.pick(['asc', 'desc']),
    ...(random.percent(25) && { limit: random.pick([1, 50, 100, 150, 250]) }),
    parallel: random.pick([1, 2, 5]),
    maxTries: random.pick([1, 3]),
    changes: random.percent(30)
      ? []
      : random.list(random.integer(1, 3), () => ({
          before: random.integer(0, 5),
          added: random.pick([0, 0, 1, 2]),
          removed: random.list(random.integer(0, 2), () => random.integer(0, Math.max(0, count - 1))),
        })),
    reads: reads.filter(({ kind }) => !NO_LIST.includes(kind)),
    ...(random.percent(25) && { hasNoIds: true }),
    ...(random.percent(40) && { lie: { from: random.integer(0, 3), way: random.pick([...LIES]) } }),
  };
}

class ChangingList {
  readonly ids: number[];
  /** Records that remained in the list from the first to the last response. */
  readonly lasting: Set<number>;
  isChanged = false;
  requests = 0;

  constructor(private readonly schedule: ListSchedule) {
    this.ids = Array.from({ length: schedule.count }, (_, index) => index + 1);
    this.lasting = new Set(this.ids);
  }

  apply = ({ query }: { query: Record<string, unknown> }) => {
    for (const { before, added, removed } of this.schedule.changes)
      if (before === this.requests) this.change(added, removed);
    const { from = Infinity, way } = this.schedule.lie ?? {};
    const lie = this.requests >= from ? way : undefined;
    this.requests += 1;
    const asked: ListQuery = { count: Number(query.count), page: lie === 'repeat' ? 0 : Number(query.page) };
    const field = fieldOf(this.schedule);
    const rules = { fields: [field], order_on: field, order_by: this.schedule.order };
    const records = this.ids.map((id) => ({ [field]: id }));
    const body = { code: 0, message: 'Success', ...listPage(records, asked, rules) };
    return { answer: { status: 200, body: lyingAbout(body, lie) }, applied: false };
  };

  private change(added: number, removed: number[]): void {
    // Changes before the first response are part of the initial list.
    this.isChanged ||= this.requests > 0;
    for (const index of removed) {
      const [id] = this.ids.splice(index, 1);
      if (id !== undefined) this.lasting.delete(id);
    }
    for (let one = 0; one < added; one += 1) {
      const id = (this.highest += 1);
      this.ids.push(id);
      if (this.requests === 0) this.lasting.add(id);
    }
  }

  private highest = 1000;
}

/** Returns whether the node can read every page. An empty list that announces pages is unreadable. */
const isReadable = ({ lie }: ListSchedule) => lie === undefined || lie.way === 'repeat' || lie.way === 'none';

const fieldOf = ({ hasNoIds }: ListSchedule) => (hasNoIds ? 'amt_net' : 'invoice_id');

function lyingAbout(body: Record<string, unknown>, way: Lie | undefined): Record<string, unknown> {
  if (way === undefined || way === 'repeat') return body;
  if (way === 'more') return { ...body, totalPages: 100_000, totalRecords: undefined };
  return way === 'none' ? { ...body, totalPages: undefined, totalRecords: undefined } : unreadableList(body, way);
}

const INCOMPLETE = /complete list|may contain more records/;
const SAYS_CHANGED = /(^|\. )the list (may have )?changed while the node read it/i;

/**
 * Reads a changing list with the node.
 * @returns the violations.
 */
export async function simulateList(schedule: ListSchedule): Promise<string[]> {
  newDatabase(false);
  const violations: string[] = [];
  const clock = new SimulatedClock(Date.UTC(2030, 2, 1, 12), new Random(schedule.seed + 1).next);
  const list = new ChangingList(schedule);
  const plain = draw(1);
  const whole: Schedule = {
    ...plain,
    seed: schedule.seed,
    operation: 'invoice',
    second: undefined,
    caller: 'items',
    items: [{ object: 0, cents: 0 }],
    runs: 1,
    loop: false,
    node: { onError: 'stopWorkflow', tries: 1, waitMs: 0 },
    service: { ...plain.service, lagMs: 0, reads: schedule.reads, writes: [] },
    host: undefined,
  };
  const wire = new Wire(whole, list, clock, [], () => ({ run: 0, execution: 0, edits: 0 }));
  const returned: { output?: INodeExecutionData[][] } = {};
  const recorder = {
    begin: () => ({
      returned: (output: INodeExecutionData[][]) => void Object.assign(returned, { output }),
      threw: () => undefined,
    }),
  };
  clock.install();
  const uninstall = wire.install();
  try {
    const { limit, parallel, maxTries } = schedule;
    const { run } = execute(
      {
        schedule: whole,
        execution: 0,
        rows: [[{ json: {}, number: 0 }]],
        parameters: [
          {
            ...(schedule.hasNoIds
              ? { resource: 'report', operation: 'getSettlements' }
              : { resource: 'invoice', operation: 'getAll' }),
            ...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
            simplify: false,
            options: { sending: { maxParallelRequests: parallel, maxTries } },
          },
        ],
        credential: {
          environment: 'test',
          baseUrl: BASES[0]?.('test') ?? '',
          merchantId: MERCHANT_ID,
          authMethod: 'apiKey',
          apiKey: KEYS.test[0],
        },
        nodeTypes: simulatedNodeTypes(recorder, () => ({ rounds: [], failsNow: () => false }), [invoice, report]),
      },
      () => undefined,
    );
    const { data } = await clock.until(run, LONGEST_MS);
    const [task] = data.resultData.runData[NODES[0] ?? ''] ?? [];
    check(schedule, list, returned.output?.[0], task, violations);
  } catch (error) {
    if (!(error instanceof NeverEnds)) throw error;
    violations.push(`never ends: ${error.message}`);
  } finally {
    uninstall();
    clock.uninstall();
  }
  return violations;
}

function check(
  schedule: ListSchedule,
  list: ChangingList,
  output: INodeExecutionData[] | undefined,
  task: ITaskData | undefined,
  violations: string[],
): void {
  const { limit, reads, lie, hasNoIds } = schedule;
  if (list.requests > MOST_REQUESTS) violations.push(`the node sent ${list.requests} requests`);
  if (!output) {
    if (reads.every(({ kind }) => kind === 'answer') && isReadable(schedule))
      violations.push('the list was not read although every answer came');
    return;
  }
  const ids = output.map(({ json }) => Number(json[fieldOf(schedule)]));
  const hints = (task?.hints ?? []).map(({ message }) => message);
  const isHinted = hints.some((message) => INCOMPLETE.test(message));
  if (new Set(ids).size < ids.length && !(hasNoIds && isHinted)) violations.push('a record came twice');
  const missing = [...list.lasting].filter((id) => !ids.includes(id));
  if (limit === undefined && missing.length > 0 && !isHinted)
    violations.push(`${missing.length} records are missing, and no hint says so`);
  if (list.isChanged || lie) return;
  const expected = Math.min(limit ?? Infinity, list.ids.length);
  if (ids.length !== expected) violations.push(`${ids.length} of ${expected} records came`);
  if (hints.some((message) => SAYS_CHANGED.test(message)))
    violations.push(`a hint says that the list changed, and it did not: ${hints.join(' ')}`);
}
