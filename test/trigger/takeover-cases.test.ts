import { sleep, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { Random } from '../simulator/random';
import { quantity } from '../quantity';
import { bodyOf, call } from './bench';
import { bench, openProcess, openSwitchedOff, payInvoice } from './catch-up-bench';
import type { TriggerHost } from './host';

const SEEDS = Number(process.env.SEEDS ?? quantity(3, 150));
const FROM = Number(process.env.FROM ?? 1);
const LAST_MS = 600_000;
/** After this time, every other execution has ended or lost its delivery. */
const ENDED_MS = 1_200_000;
/** Time between the end of an execution and its keys. In n8n 1, the node learns the end later. */
const noticedMs = (major: number, workMs: number) => 10_000 + (major === 1 ? workMs * 1.5 : 0);

interface Run {
  host: number;
  executed: string;
  beganMs: number;
  endedMs?: number;
  /** `uncertain` if n8n was killed before the trigger could know the success. */
  end: 'running' | 'succeeded' | 'uncertain' | 'failed' | 'killed';
}

const idsOf = (items: INodeExecutionData[]) =>
  items.map(({ json }) => asText(((json.payload as IDataObject).data as IDataObject).invoice_id));

afterEach(() => jest.restoreAllMocks());

class Case {
  readonly runs: Run[] = [];
  readonly history: string[] = [];
  readonly hosts: TriggerHost[] = [];
  private readonly lives: number[] = [];
  private readonly random: Random;
  private readonly major: 1 | 2;
  private isCalm = false;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.major = this.random.percent(30) ? 1 : 2;
  }

  /** Returns what went wrong. */
  async play(): Promise<string[]> {
    const { random, major } = this;
    const options = { workers: true, major };
    const emitFailed = random.percent(50);
    await openSwitchedOff({ options: { emitFailed } }, options);
    this.hosts.push(bench.host);
    for (let count = random.integer(1, 2); count > 0; count -= 1) this.hosts.push(await openProcess(options));
    const slowest = random.pick([3, 3, 30, 250]);
    bench.host.database.accessMs = () => random.integer(1, slowest);
    this.hosts.forEach((host, index) => {
      this.lives[index] = 0;
      host.work = async (items) => await this.work(index, items);
    });
    const ids = random.list(random.integer(1, 3), () => 0);
    for (const index of ids.keys()) ids[index] = await payInvoice();
    await Promise.all(random.list(random.integer(4, 10), async () => await this.act(ids)));
    this.isCalm = true;
    await sleep(ENDED_MS);
    for (let round = 0; round < 2; round += 1) {
      for (const host of this.hosts) {
        await host.startTrigger();
        await sleep(random.pick([0, 10, 1_000, 100_000]));
      }
      await sleep(LAST_MS);
    }
    const told = this.hosts.flatMap(({ problems, log, executions }) => [
      ...problems,
      ...log.map(({ text }) => text),
      ...executions.flat().map(({ json }) => asText(json.notice)),
    ]);
    for (const host of this.hosts.slice(1)) await host.close();
    return ids.flatMap((id) =>
      this.check(
        String(id),
        told.some((text) => text.includes(`invoice_paid ${id}`)),
      ),
    );
  }

  private async act(ids: number[]): Promise<void> {
    const { random } = this;
    const [atMs, index] = [random.integer(0, LAST_MS), random.integer(0, this.hosts.length - 1)];
    const kind = random.weighted([
      [5, 'catchUp'],
      [3, 'kill'],
      [2, 'deliver'],
    ] as const);
    const body = bodyOf(bench, { data: { invoice_id: random.pick(ids) } });
    const copies = random.list(random.integer(1, 2), () => random.integer(0, this.hosts.length - 1));
    await sleep(atMs);
    this.history.push(`${atMs} ${kind} ${kind === 'deliver' ? copies.join() : index}`);
    if (kind === 'catchUp') return await this.hosts[index]?.startTrigger();
    if (kind === 'kill') return await this.kill(index);
    const { pathname } = new URL(bench.host.url);
    const url = (copy: number) => String(this.hosts[copy]?.address) + pathname;
    await Promise.all(copies.map(async (copy) => await call(bench, { body, url: url(copy) }).catch(() => undefined)));
  }

  private async kill(index: number): Promise<void> {
    this.lives[index] = (this.lives[index] ?? 0) + 1;
    const now = Date.now();
    for (const run of this.runs) {
      if (run.host !== index) continue;
      const { end, beganMs, endedMs = now } = run;
      if (end === 'running') Object.assign(run, { end: 'killed', endedMs });
      else if (end === 'succeeded' && now - endedMs < noticedMs(this.major, endedMs - beganMs)) run.end = 'uncertain';
    }
    await this.hosts[index]?.restart();
  }

  private async work(host: number, items: INodeExecutionData[]): Promise<void> {
    const life = this.lives[host];
    const workMs = this.isCalm ? 100 : this.random.pick([100, 20_000, 100_000, 400_000]);
    const fails = !this.isCalm && this.random.percent(15);
    const own = idsOf(items).map((id): Run => ({ host, executed: id, beganMs: Date.now(), end: 'running' }));
    this.runs.push(...own);
    await sleep(workMs);
    if (this.lives[host] !== life) return;
    for (const run of own) {
      run.end = fails ? 'failed' : 'succeeded';
      run.endedMs = Date.now();
    }
    if (fails) throw new Error('The CRM is down');
  }

  private check(id: string, isNamed: boolean): string[] {
    const own = this.runs.filter(({ executed }) => executed === id).sort((one, other) => one.beganMs - other.beganMs);
    const text = own.map(({ host, beganMs, endedMs, end }) => `${host} ${beganMs} ${endedMs} ${end}`).join('; ');
    const isDoubled = own.some((run, index) =>
      own.slice(0, index).some((earlier) => earlier.end === 'succeeded' || (earlier.endedMs ?? Infinity) > run.beganMs),
    );
    return [
      ...(isDoubled ? [`${id} was emitted twice: ${text}`] : []),
      ...(isNamed || own.some(({ end }) => end === 'succeeded' || end === 'uncertain')
        ? []
        : [`${id} was lost: ${text}`]),
    ];
  }
}

test.each(Array.from({ length: SEEDS }, (_, index) => FROM + index))(
  'several processes, some of them killed, emit each change once or name it (seed %d)',
  async (seed) => {
    // A seed plays the same case at any time and on any machine.
    jest.setSystemTime(Date.UTC(2030, 0, 1 + seed, 12));
    jest.spyOn(Math, 'random').mockImplementation(new Random(seed).next);
    const one = new Case(seed);
    const found = await one.play();
    expect({ found, history: found.length > 0 ? one.history : [] }).toEqual({ found: [], history: [] });
  },
);
