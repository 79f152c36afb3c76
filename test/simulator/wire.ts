import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';

import { axios } from './loading';
import type { SimulatedClock } from './clock';
import { aboutWhat, recordIdOf } from './books';
import { answerTo, brokenConnection, noConnection } from './answers';
import { operationsOf, type Happening, type ObjectName, type OperationName, type Schedule } from './schedule';
import { EXECUTION_HEADER } from './engine';
import type { Sent } from './sent';
import type { Service } from './service';
import { Random } from './random';

/** Base URLs of the service in different spellings, by environment name. */
export const BASES = [
  (name: string) => `https://api.example.com/${name}`,
  (name: string) => `https://API.Example.com/${name}`,
  (name: string) => `https://api.example.com:443/${name}/`,
  (name: string) => `https://api.example.com/${name}//`,
  (name: string) => `https://payments.example.com/${name}`,
  (name: string) => ` https://api.example.com/${name} `,
];
/** Index of the URL with another host. */
export const OTHER_HOST = 4;
/** Time in milliseconds that the node needs to record an outcome in n8n's database. */
const RECORDED_AFTER_MS = 25;

/** Connects n8n's HTTP helper to the simulated service. */
export class Wire {
  readonly sent: Sent[] = [];
  onSend: (sent: Sent) => void = () => undefined;
  private readonly calls = new Map<number, number>();
  private reads = 0;
  /** Executions that created the records, by node, environment and ID. */
  readonly senders = new Map<string, number>();
  /** Whether n8n's process, which sends the requests, has ended. */
  isDown = false;

  constructor(
    private readonly schedule: Schedule,
    private readonly service: Pick<Service, 'apply'>,
    private readonly clock: SimulatedClock,
    private readonly objects: ObjectName[],
    private readonly sender: (execution: number) => Pick<Sent, 'run' | 'execution' | 'edits'>,
  ) {}

  install(): () => void {
    const before = axios.defaults.adapter;
    axios.defaults.adapter = async (config) => await this.exchange(config);
    return () => {
      axios.defaults.adapter = before;
    };
  }

  goDown(): void {
    this.isDown = true;
    const now = this.clock.now();
    for (const sent of this.sent) {
      if (sent.seen === 'done' && now - (sent.endedAt ?? now) < RECORDED_AFTER_MS) sent.seen = 'unknown';
      if (sent.endedAt !== undefined) continue;
      sent.seen = 'unknown';
      sent.endedAt = now;
    }
  }

  private async exchange(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
    if (this.isDown) return await new Promise<never>(() => undefined);
    const url = new URL(String(config.url));
    const [, environment = '', path = ''] = /^\/+(test|production)\/*(\/.*)$/.exec(url.pathname) ?? [];
    const method = String(config.method).toUpperCase();
    const body: unknown = typeof config.data === 'string' && config.data !== '' ? JSON.parse(config.data) : undefined;
    const about = aboutWhat(operationsOf(this.schedule), this.objects, method, path, body);
    const happening = this.happening(about?.objects[0], method === 'GET');
    const sent: Sent = {
      number: this.sent.length,
      at: this.clock.now(),
      environment: environment as Sent['environment'],
      method,
      path,
      body,
      node: 0,
      step: 0,
      objects: [],
      ...about,
      happening,
      applied: false,
      seen: 'pending',
      ...this.sender(Number(config.headers.get(EXECUTION_HEADER))),
    };
    this.sent.push(sent);
    this.onSend(sent);
    return await new Promise<AxiosResponse>((resolve, reject) => {
      const end = (finish: () => void) => {
        if (sent.endedAt !== undefined) return;
        sent.endedAt = this.clock.now();
        finish();
      };
      const fail = (error: Error, code?: string) => {
        if (sent.seen === 'pending') sent.seen = 'unknown';
        end(() => reject(axios.AxiosError.from(error, code, config)));
      };
      config.signal?.addEventListener?.('abort', () => fail(new Error('canceled'), 'ERR_CANCELED'));
      this.play(sent, config, { end, fail, resolve });
    });
  }

  private play(
    sent: Sent,
    config: InternalAxiosRequestConfig,
    {
      end,
      fail,
      resolve,
    }: {
      end: (finish: () => void) => void;
      fail: (error: Error, code?: string) => void;
      resolve: (response: AxiosResponse) => void;
    },
  ): void {
    const { happening } = sent;
    const latency = happening.latencyMs ?? 20;
    const patience = config.timeout ?? 300_000;
    const authorization = String(config.headers.get('authorization') ?? '');
    const query = Object.fromEntries(
      Object.entries((config.params ?? {}) as Record<string, unknown>).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(String) : String(value),
      ]),
    );
    const arrive = () => {
      const { answer, applied } = this.service.apply({ ...sent, query, authorization }, this.schedule.service.lagMs);
      sent.applied ||= applied;
      sent.isOnItsWay = false;
      if (applied) sent.recordId = recordIdOf(this.operationOf(sent), sent.step, answer.body);
      if (sent.recordId !== undefined)
        this.senders.set(`${sent.node} ${sent.environment} ${sent.recordId}`, sent.execution);
      return { answer, applied };
    };
    const after = (milliseconds: number, run: () => void) => this.clock.after(milliseconds, run);
    after(patience, () => fail(new Error(`timeout of ${patience}ms exceeded`), 'ECONNABORTED'));

    if (happening.kind === 'noConnection') {
      after(5, () => {
        if (sent.endedAt === undefined) sent.seen = 'turnedAway';
        fail(noConnection(happening.code ?? 'ECONNREFUSED'));
      });
      return;
    }
    if (happening.kind === 'timeout' || happening.kind === 'lateApply') {
      const late = happening.kind === 'lateApply';
      sent.isOnItsWay = late || happening.applied === true;
      if (sent.isOnItsWay) after(late ? patience + 20_000 : 10, () => void arrive());
      return;
    }
    let reached: ReturnType<typeof arrive> | undefined;
    sent.isOnItsWay = takesEffect(happening);
    after(Math.ceil(latency / 2), () => {
      if (takesEffect(happening)) reached = arrive();
    });
    after(latency + 1, () => {
      if (happening.kind === 'cut') return fail(brokenConnection(happening.code ?? 'ECONNRESET'));
      const { seen, status, text, headers } = answerTo({ ...sent, authorization }, happening, reached, {
        now: this.clock.now(),
        otherId: this.otherId(sent, reached?.applied === true),
        // The steps of an item in several steps name no field with an ID.
        ...(sent.method !== 'GET' && {
          error: this.schedule.service.error,
          needsId: this.operationOf(sent) !== 'split',
        }),
      });
      end(() => {
        sent.seen = seen;
        sent.status = status;
        resolve({ data: text, status, statusText: '', headers, config, request: {} } as unknown as AxiosResponse);
      });
    });
  }

  /** Returns the record of the execution's latest write with a response, which the response to another write repeats. */
  private otherId({ number, execution, node }: Sent, isApplied: boolean): string | undefined {
    const others = isApplied ? this.sent.slice(0, number) : [];
    return others.findLast((one) => one.execution === execution && one.node === node && one.seen === 'done')?.recordId;
  }

  private operationOf({ node }: Sent): OperationName {
    return operationsOf(this.schedule)[node] ?? this.schedule.operation;
  }

  private happening(object: number | undefined, reads: boolean): Happening {
    const usual = (salt: number): Happening => ({
      kind: 'answer',
      latencyMs: new Random(this.schedule.seed * 7919 + salt).integer(5, 300),
    });
    if (reads) return this.schedule.service.reads[this.reads++] ?? usual(this.reads);
    if (object === undefined) return usual(0);
    const call = this.calls.get(object) ?? 0;
    this.calls.set(object, call + 1);
    return this.schedule.service.writes[object]?.[call] ?? usual(object * 31 + call);
  }
}

/** Returns whether the service applies a request before the connection or response is disrupted. */
function takesEffect({ kind, applied = false }: Happening): boolean {
  if (['answer', 'emptyRecord', 'textRecord', 'unreadable', 'lacking', 'stale', 'swapped'].includes(kind)) return true;
  return ['serverError', 'cut', 'page', 'truncated'].includes(kind) && applied;
}
