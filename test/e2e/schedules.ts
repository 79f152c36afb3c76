import { setTimeout as sleep } from 'node:timers/promises';

import { DateTime } from 'luxon';
import type { IDataObject, INode } from 'n8n-workflow';

import { poll, POLL_MS } from '../../host/executions';
import { itemsOf, type Execution } from '../../host/rest';
import type { FaultRule } from '../../sandbox';
import { SERVICE_ZONE } from '../../sandbox/core/clock';
import { CLOSES_AT } from '../../sandbox/rules/batch-times';
import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import type { N8n } from '../../host/n8n';
import type { AgentHost, Way } from './agent-ways';
import { PASSWORD, type Host } from './host';
import { MONEY_OPERATIONS, type MoneyOperation } from './money-operations';
import { calledRowsInto, own, rowsInto } from './workflows';

const PAY = 'Pay';
const ROWS = 4;
/** Age of the records that the payments change. */
const AGE_MINUTES = 10;
/** Number of the request that receives the fault, counted from 1. */
const SECOND = 2;
const EDITED_AMOUNT = 1.5;
const LATENCY_MS = 250;
/** Payment latency in milliseconds. Gives the test time to kill n8n. */
const HOLD_MS = 120_000;

type Change = 'none' | 'reordered rows' | 'edited amount';

/** Test case with a service fault, node settings, and execution retries. */
export interface Schedule {
  name: string;
  fault?: Omit<FaultRule, 'operationId'>;
  /** Delay in milliseconds before a record appears in the service's reports. */
  lagMs?: number;
  settings?: Partial<INode>;
  isEqual?: true;
  /** Retries of the failed execution. The fault continues until the last retry starts. */
  retries?: Change[];
}

const declined = (calls: FaultRule['calls']) => ({ kind: 'status', status: 402, code: '005', calls }) as const;

export const SCHEDULES: Schedule[] = [
  { name: 'response cut before the payment', fault: { kind: 'reset_before_apply', calls: [SECOND] } },
  { name: 'response cut after the payment', fault: { kind: 'reset_after_apply', calls: [SECOND] } },
  { name: 'late report', fault: { kind: 'reset_after_apply', calls: [SECOND] }, lagMs: 4000 },
  { name: '500 after the payment', fault: { kind: 'status', status: 500, applied: true, calls: [SECOND] } },
  { name: 'two equal items', isEqual: true },
  {
    name: 'Retry On Fail',
    fault: declined([SECOND]),
    settings: { onError: 'stopWorkflow', retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
  },
  { name: 'one retry', fault: declined([SECOND]), retries: ['none'] },
  { name: 'two retries', fault: declined([SECOND, SECOND + 2]), retries: ['none', 'none'] },
  { name: 'reordered rows', fault: declined([SECOND]), retries: ['reordered rows'] },
  { name: 'edit between tries', fault: declined([SECOND]), retries: ['edited amount'] },
];

interface Planned {
  operation: MoneyOperation;
  rows: IDataObject[];
}

/** Numbers of requests, applied payments, reported outcomes and look-ups of one operation. */
export interface Books {
  operationId: string;
  sent: number;
  applied: number;
  reported: Record<string, number>;
  lookedUp: number;
}

/** Edits expressions of the node, because n8n retries a node with its stored items. */
function changed({ parameters, ...operation }: MoneyOperation, change: Change): MoneyOperation {
  const [from, to] =
    change === 'reordered rows'
      ? ['$json.', `$('Rows').all()[${ROWS - 1} - $itemIndex].json.`]
      : ['$json.amount', `($json.row === 0 ? ${EDITED_AMOUNT} : $json.amount)`];
  const text = JSON.stringify(parameters).replaceAll(from, to);
  return { ...operation, parameters: JSON.parse(text) as IDataObject };
}

/** Limits that the node requires for payments by an agent. */
const LIMITS = { limitPerItem: 50, limitPerExecution: 100, options: { ifExists: { then: 'skip' } } };

/** The model supplies the amounts and IDs that otherwise come from the rows. */
function filledByModel({ parameters }: MoneyOperation): IDataObject {
  const text = JSON.stringify(parameters).replaceAll(
    /\$json\.(\w+)/g,
    (_, name: string) => `$fromAI('${name}', '${name}', '${name === 'amount' ? 'number' : 'string'}')`,
  );
  return { ...(JSON.parse(text) as IDataObject), ...LIMITS };
}

const outcomeOf = ({ error, done_by_earlier_try: before }: IDataObject): string =>
  error ? asText((error as IDataObject).outcome) : before ? 'done before' : 'done';

const isDone = (outcome: string) => ['done', 'done before'].includes(outcome);
/** Outcomes of an item that the service may already have paid. */
const MAY_BE_PAID = ['unknown', 'doneBefore'];

/** Waits before throwing an error, because a payment in progress would affect the next test case. */
async function everyOne<T>(played: Array<Promise<T>>): Promise<T[]> {
  await Promise.allSettled(played);
  return await Promise.all(played);
}

export class Player {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: () => Host) {}

  /** Saves one workflow at a time, because n8n 1 confuses simultaneous database transactions. */
  private async inTurn<T>(save: () => Promise<T>): Promise<T> {
    const turn = this.last.then(save);
    this.last = turn.catch(() => undefined);
    return await turn;
  }

  private get control() {
    return this.host().sandbox.control;
  }

  private payNode({ parameters }: MoneyOperation, settings: Partial<INode>): INode {
    const options = { sending: { maxParallelRequests: 1 } };
    return own(this.host(), PAY, { ...parameters, options }, settings);
  }

  private entries(operationId: string) {
    return this.control.journal({ operationId });
  }

  private appliedTo(operationId: string): number {
    return this.entries(operationId).filter(({ applied }) => applied !== null).length;
  }

  private timesOf(operationId: string, { id, amount }: IDataObject): number {
    return this.entries(operationId).filter(
      ({ applied, path, body }) =>
        applied !== null &&
        (id === undefined ? (body as IDataObject).amt_tran === amount : path.split('/').includes(asText(id))),
    ).length;
  }

  private booksOf(operationId: string, items: IDataObject[], reported: Record<string, number> = {}): Books {
    for (const outcome of items.map(outcomeOf)) reported[outcome] = (reported[outcome] ?? 0) + 1;
    return {
      operationId,
      sent: this.entries(operationId).length,
      applied: this.appliedTo(operationId),
      reported,
      lookedUp: items.filter(({ found_at_service: found }) => found !== undefined).length,
    };
  }

  /** Checks that each payment happened at most once and that the node reported the correct outcome. */
  private audit(operationId: string, rows: IDataObject[], items: IDataObject[]): Books {
    const books = this.booksOf(operationId, items);
    expect({ ...books, items: items.length }).toEqual({ ...books, items: rows.length });
    const outcomes = items.map(outcomeOf);
    if (rows[0]?.amount === rows[1]?.amount) {
      const done = outcomes.filter(isDone).length;
      expect({ ...books, done }).toEqual({ ...books, done: books.applied });
      return books;
    }
    rows.forEach((row, index) => {
      const outcome = outcomes[index] ?? '';
      const truth = { operationId, row: index, outcome, times: this.timesOf(operationId, row) };
      const possible = isDone(outcome) ? [1] : MAY_BE_PAID.includes(outcome) ? [0, 1] : [0];
      expect({ ...truth, isTrue: possible.includes(truth.times) }).toEqual({ ...truth, isTrue: true });
    });
    return books;
  }

  async plan(count: number): Promise<Planned[]> {
    this.control.reset();
    await this.passBatchClose();
    const planned: Planned[] = [];
    for (const operation of MONEY_OPERATIONS)
      planned.push({ operation, rows: await operation.rows(this.control, count) });
    await this.control.advanceClock({ minutes: AGE_MINUTES });
    this.control.clearJournal();
    return planned;
  }

  /** The service doesn't void a sale after the batch has closed. */
  private async passBatchClose(): Promise<void> {
    const now = DateTime.fromISO(this.control.now(), { zone: SERVICE_ZONE });
    const left = now.set({ hour: CLOSES_AT }).startOf('hour').diff(now).as('minutes');
    if (left > 0 && left <= AGE_MINUTES) await this.control.advanceClock({ minutes: AGE_MINUTES });
  }

  async play(schedule: Schedule): Promise<Books[]> {
    const planned = await this.plan(schedule.isEqual ? 1 : ROWS);
    for (const { operationId } of MONEY_OPERATIONS)
      if (schedule.fault) this.control.addFault({ ...schedule.fault, operationId });
    this.control.setListLag(schedule.lagMs ?? 0);
    const books = await everyOne(
      planned.map(
        async ({ operation, rows }) =>
          await this.pay(schedule, operation, schedule.isEqual ? [...rows, ...rows] : rows),
      ),
    );
    this.control.clearFaults();
    this.control.setListLag(0);
    return books;
  }

  private async pay(schedule: Schedule, operation: MoneyOperation, rows: IDataObject[]): Promise<Books> {
    const { rest } = this.host();
    const { operationId } = operation;
    const name = `${schedule.name}: ${operationId}`;
    const settings: Partial<INode> = {
      onError: schedule.retries ? 'stopWorkflow' : 'continueRegularOutput',
      ...schedule.settings,
    };
    const workflow = rowsInto(name, rows, this.payNode(operation, settings));
    const id = await this.inTurn(async () => await rest.saveWorkflow(workflow));
    let execution = await rest.execute(id);
    for (const change of schedule.retries ?? []) {
      expect({ operationId, status: execution.status }).toEqual({ operationId, status: 'error' });
      if (change !== 'none') {
        const last = this.payNode(changed(operation, change), { ...settings, onError: 'continueRegularOutput' });
        const { nodes } = rowsInto(name, rows, last);
        await this.inTurn(async () => await rest.updateWorkflow(id, { nodes }));
      }
      execution = await rest.executions.retry(execution.id, { loadWorkflow: change !== 'none' });
    }
    const order = schedule.retries?.includes('reordered rows') ? [...rows].reverse() : rows;
    return this.audit(operationId, order, itemsOf(execution, PAY));
  }

  async kill(name: string, processes: N8n[], batchSize?: number): Promise<Books[]> {
    const host = this.host();
    const planned = await this.plan(ROWS);
    const started: Array<{ id: string; path: string }> = [];
    for (const { operation, rows } of planned) started.push(await this.activate(name, operation, rows, batchSize));
    this.control.addLatency({ milliseconds: LATENCY_MS });
    for (const { path } of started)
      void fetch(`${host.n8n.baseUrl}/webhook/${path}`, { method: 'POST' }).catch(() => {});
    await this.holdAfter(SECOND);
    await Promise.all(processes.map(async (one) => await one.kill()));
    this.control.clearLatency();
    // Waits, because requests of the killed process still take effect.
    await sleep(2 * LATENCY_MS);
    for (const one of processes) await one.restart();
    await host.rest.signIn(PASSWORD);
    return await everyOne(
      planned.map(async ({ operation, rows }, index) => await this.finish(operation, rows, started[index]?.id ?? '')),
    );
  }

  /** Retries a crashed execution twice. The second retry must make no payment. */
  private async finish({ operationId }: MoneyOperation, rows: IDataObject[], workflowId: string): Promise<Books> {
    const { executions } = this.host().rest;
    const [first] = await executions.list(workflowId);
    if (!first) throw new Error(`There is no execution of ${operationId}`);
    const ended = await executions.waitFor(first.id);
    if (ended.status === 'success') return this.audit(operationId, rows, roundsOf(ended));
    const retried = await executions.retry(ended.id, { loadWorkflow: false });
    const { reported } = this.audit(operationId, rows, roundsOf(retried));
    const again = await executions.retry(ended.id, { loadWorkflow: false });
    return { ...this.audit(operationId, rows, roundsOf(again)), reported };
  }

  async callTwice(host: AgentHost, ask: Way['ask']): Promise<Books[]> {
    const all: Books[] = [];
    for (const { operation, rows } of await this.plan(SECOND)) {
      const { operationId } = operation;
      const [first = {}, second = {}] = rows;
      const parameters = { ...filledByModel(operation), ...operation.toolParameters };
      const texts = await ask(host, { parameters }, [[first], [first], [second, second]]);
      const items = texts.flatMap((text) => JSON.parse(text) as IDataObject[]);
      const outcomes = items.map(({ outcome }) => asText(outcome) || 'done');
      const times = [first, second].map((row) => this.timesOf(operationId, row));
      expect({ operationId, texts, times }).toEqual({ operationId, texts, times: [1, 1] });
      const reported: Record<string, number> = {};
      for (const outcome of outcomes) reported[outcome] = (reported[outcome] ?? 0) + 1;
      expect({ operationId, texts, ...reported }).toMatchObject({ operationId, done: 2 });
      all.push({ ...this.booksOf(operationId, []), reported });
    }
    return all;
  }

  async activate(name: string, operation: MoneyOperation, rows: IDataObject[], batchSize?: number) {
    const { rest } = this.host();
    const path = `${name} ${operation.operationId}`.replace(/\W+/g, '-');
    const last = this.payNode(operation, { onError: 'continueRegularOutput' });
    const workflow = calledRowsInto(path, rows, last, batchSize);
    const id = await rest.saveWorkflow(workflow);
    await rest.activate(id);
    return { id, path };
  }

  /** Waits for `count` payments of every operation, and delays further payments. */
  private async holdAfter(count: number): Promise<void> {
    const ahead = new Set<string>();
    const isReached = () => {
      for (const { operationId } of MONEY_OPERATIONS) {
        if (ahead.has(operationId) || this.appliedTo(operationId) < count) continue;
        ahead.add(operationId);
        this.control.addLatency({ operationId, milliseconds: HOLD_MS });
      }
      return ahead.size === MONEY_OPERATIONS.length;
    };
    await poll('Payments', async () => await Promise.resolve(isReached() || undefined), HOLD_MS, POLL_MS);
  }
}

/** Returns the node's items, without the artificial item that n8n adds after a crash. */
const roundsOf = ({ data }: Execution): IDataObject[] =>
  (data.resultData.runData[PAY] ?? [])
    .flatMap((run) => run.data?.main?.[0] ?? [])
    .map(({ json }) => json)
    .filter(({ isArtificialRecoveredEventItem }) => isArtificialRecoveredEventItem !== true);
