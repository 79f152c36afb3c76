import type { IHookFunctions } from 'n8n-workflow';

import { activating, inTurn, recentFailures, takeBack } from '../../../nodes/PaymentPlatform/trigger/hooks';

let workflows = 0;
/** Creates the contexts of two nodes in one workflow. */
function nodes(mode = 'trigger') {
  const workflowId = `hooks-${++workflows}`;
  return ['first', 'second'].map(
    (id) =>
      ({
        getInstanceId: () => 'instance',
        getWorkflow: () => ({ id: workflowId }),
        getNode: () => ({ id }),
        getMode: () => mode,
      }) as unknown as IHookFunctions,
  ) as [IHookFunctions, IHookFunctions];
}

const fail = async (context: IHookFunctions) =>
  await activating(context, async () => await Promise.reject(new Error('refused'))).catch(() => undefined);

/** Removes the webhook of a node. Returns whether n8n did so because an activation failed. */
const isTakenBack = async (context: IHookFunctions, failures = recentFailures(context)) =>
  (await takeBack(context, failures, async () => await Promise.resolve(true))) ?? false;

/** Runs a hook that ends when the test says so. */
function heldHook(context: IHookFunctions, name: string, log: string[]) {
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const result = inTurn(context, async () => {
    log.push(`${name} began`);
    await held;
    log.push(`${name} ended`);
    return name;
  });
  return { end, result };
}

const pause = async () => await new Promise((resolve) => setImmediate(resolve));

beforeEach(() => void jest.useFakeTimers({ now: 1_000_000, doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

test('a hook begins after the earlier hooks of its node', async () => {
  const [first] = nodes();
  const log: string[] = [];
  const hooks = ['a', 'b', 'c'].map((name) => heldHook(first, name, log));
  await pause();
  expect(log).toEqual(['a began']);
  hooks[1]?.end();
  hooks[2]?.end();
  await pause();
  expect(log).toEqual(['a began']);
  hooks[0]?.end();
  expect(await Promise.all(hooks.map(({ result }) => result))).toEqual(['a', 'b', 'c']);
  expect(log).toEqual(['a began', 'a ended', 'b began', 'b ended', 'c began', 'c ended']);
});

test('a hook waits for a hook that began while other hooks ended', async () => {
  const [first] = nodes();
  const log: string[] = [];
  const [a, b] = [heldHook(first, 'a', log), heldHook(first, 'b', log)];
  a.end();
  await a.result;
  await pause();
  const c = heldHook(first, 'c', log);
  await pause();
  expect(log).toEqual(['a began', 'a ended', 'b began']);
  b.end();
  c.end();
  await Promise.all([b.result, c.result]);
  expect(log.slice(2)).toEqual(['b began', 'b ended', 'c began', 'c ended']);
});

test("a hook doesn't wait for the hooks of another node or workflow", async () => {
  const [[first, second], [other]] = [nodes(), nodes()];
  const log: string[] = [];
  const hooks = [heldHook(first, 'a', log), heldHook(second, 'b', log), heldHook(other, 'c', log)];
  await pause();
  expect(log).toEqual(['a began', 'b began', 'c began']);
  for (const { end } of hooks) end();
  await Promise.all(hooks.map(({ result }) => result));
});

test('a hook begins after a failed hook, whose caller gets the error', async () => {
  const [first] = nodes();
  const failed = inTurn(first, async () => await Promise.reject(new Error('refused')));
  const next = inTurn(first, async () => await Promise.resolve('done'));
  await expect(failed).rejects.toThrow('refused');
  expect(await next).toBe('done');
  expect(await inTurn(first, async () => await Promise.resolve('later'))).toBe('later');
});

describe('the end of a failed activation', () => {
  const each = async (contexts: IHookFunctions[]) => {
    const results: boolean[] = [];
    for (const context of contexts) results.push(await isTakenBack(context));
    return results;
  };

  test('is each first removal of every node of the workflow', async () => {
    const [first, second] = nodes();
    await fail(first);
    expect(await each([first, second, first, second])).toEqual([true, true, false, false]);
  });

  test('is counted for each failure', async () => {
    const [first] = nodes();
    await fail(first);
    await fail(first);
    expect(await each([first, first, first])).toEqual([true, true, false]);
  });

  test('is not a removal that n8n called before the failure', async () => {
    const [first] = nodes();
    const failures = recentFailures(first);
    await fail(first);
    expect(await isTakenBack(first, failures)).toBe(false);
    expect(await isTakenBack(first)).toBe(true);
  });

  test('is not a removal of another workflow or after a success', async () => {
    const [[first], [other]] = [nodes(), nodes()];
    await fail(first);
    expect(await isTakenBack(other)).toBe(false);
    expect(await activating(other, async () => await Promise.resolve(7))).toBe(7);
    expect(await isTakenBack(other)).toBe(false);
  });

  test('is not a removal after a failed test in the editor', async () => {
    const [first] = nodes('manual');
    await fail(first);
    expect(await isTakenBack(first)).toBe(false);
  });

  test.each([
    [3_000, true],
    [3_001, false],
  ])('can come %d ms after the failure: %s', async (milliseconds, isEnd) => {
    const [first] = nodes();
    await fail(first);
    jest.setSystemTime(1_000_000 + milliseconds);
    expect(await isTakenBack(first)).toBe(isEnd);
  });

  test('can come later if the removal of another node took long', async () => {
    const [first, second] = nodes();
    await fail(first);
    const slow = async () => await Promise.resolve(jest.setSystemTime(1_020_000)).then(() => 'undone');
    expect(await takeBack(first, recentFailures(first), slow)).toBe('undone');
    jest.setSystemTime(1_022_000);
    expect(await isTakenBack(second)).toBe(true);
  });

  test('counts when n8n called the hook, and not when the hook runs', async () => {
    const [first] = nodes();
    await fail(first);
    const failures = recentFailures(first);
    jest.setSystemTime(1_100_000);
    expect(await isTakenBack(first, failures)).toBe(true);
  });

  test('also counts if another activation fails before the hook runs', async () => {
    const [first] = nodes();
    await fail(first);
    const failures = recentFailures(first);
    jest.setSystemTime(1_010_000);
    await fail(first);
    expect(await isTakenBack(first, failures)).toBe(true);
    expect(await each([first, first])).toEqual([true, false]);
  });

  test('forgets failures that are too old when the next activation fails', async () => {
    const [first] = nodes();
    await fail(first);
    jest.setSystemTime(1_010_000);
    await fail(first);
    expect(await each([first, first])).toEqual([true, false]);
  });
});
