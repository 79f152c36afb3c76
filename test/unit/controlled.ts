import { Gate, type GateOptions, type Verdicts } from '../../nodes/PaymentPlatform/service/gate';

export const newGate = (options: Partial<GateOptions> = {}) =>
  new Gate({ most: 20, longestWaitMs: 120_000, ...options });

/** Waits until all pending promise callbacks have run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

/** Sends requests through a gate. The test decides when each request gets a response. */
export function controlled(gate: Gate, names: readonly string[] = []) {
  const started: string[] = [];
  const ended: Record<string, unknown> = {};
  const open = new Map<string, { answer: (value: string) => void; fail: (error: Error) => void }>();
  const held = (name: string) => {
    const request = open.get(name);
    if (!request) throw new Error(`${name} is not in flight`);
    open.delete(name);
    return request;
  };
  const add = (name: string, { key, ...verdicts }: Verdicts<string> & { key?: string } = {}) => {
    const send = async () =>
      await new Promise<string>((answer, fail) => {
        started.push(name);
        open.set(name, { answer, fail });
      });
    void gate.run(key, send, verdicts).then(
      (result) => (ended[name] = result),
      (error: unknown) => (ended[name] = error),
    );
  };
  const answer = (name: string, value = 'ok') => held(name).answer(value);
  for (const name of names) add(name);
  return {
    started,
    ended,
    inFlight: () => [...open.keys()],
    add,
    answer,
    /** Completes a request and waits for the effects. */
    complete: async (...given: Parameters<typeof answer>) => {
      answer(...given);
      await settle();
    },
    /** Fails a request and waits for the effects. */
    fail: async (name: string) => {
      held(name).fail(new Error('no'));
      await settle();
    },
  };
}

export const named = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
