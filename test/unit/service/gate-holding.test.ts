import { NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import { controlled, named, newGate, settle } from '../controlled';

test('starts and sends no request while a result is held', async () => {
  const gate = newGate({ most: 2 });
  const requests = controlled(gate, named(4));
  const release = gate.hold();
  const other = gate.hold();
  let waited: boolean | undefined;
  void gate.waitUntilUnblocked().then((isHeld) => (waited = isHeld));
  await requests.complete('0');
  release();
  release();
  await settle();
  expect([waited, requests.started]).toEqual([undefined, ['0', '1']]);
  other();
  await requests.complete('1');
  expect([waited, requests.started]).toEqual([true, named(4)]);
  expect(await gate.waitUntilUnblocked()).toBe(false);
});

test('rejects waiting requests if the held result ends the run', async () => {
  const gate = newGate();
  const requests = controlled(gate);
  let release = () => {};
  requests.add('a', { ends: () => (release(), true) });
  release = gate.hold();
  requests.add('b');
  const waiting = gate.waitUntilUnblocked().catch((error: unknown) => error);
  await requests.complete('a');
  expect(requests.started).toEqual(['a']);
  expect(await waiting).toBeInstanceOf(NotStarted);
});

test('a request gets its slot back after a task and keeps its object locked', async () => {
  const gate = newGate({ most: 1 });
  const requests = controlled(gate);
  let ready = () => {};
  const aside = async () =>
    await gate.releaseSlotWhile(async () => await new Promise<void>((resolve) => (ready = resolve)));
  const first = gate.run('k', aside);
  requests.add('same object', { key: 'k' });
  requests.add('another');
  await settle();
  expect(requests.started).toEqual(['another']);
  ready();
  await first;
  expect(requests.started).toEqual(['another']);
  await requests.complete('another');
  expect(requests.started).toEqual(['another', 'same object']);
});
