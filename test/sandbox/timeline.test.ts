import type { DateTime } from 'luxon';

import { SandboxClock } from '../../sandbox/core/clock';
import { Timeline } from '../../sandbox/core/timeline';

const HOUR = 3_600_000;

describe('The timeline', () => {
  let clock: SandboxClock;
  let timeline: Timeline;
  let start: DateTime;
  let ran: Array<[string, number]>;
  beforeEach(() => {
    clock = new SandboxClock();
    timeline = new Timeline(clock);
    start = clock.now();
    ran = [];
  });
  afterEach(() => timeline.reset());
  afterEach(() => void jest.useRealTimers());

  const hoursOf = (moment: DateTime): number => Math.round(((moment.toMillis() - start.toMillis()) / HOUR) * 100) / 100;
  const note = (name: string) => () => void ran.push([name, hoursOf(clock.now())]);
  const at = (hours: number, run: () => void | Promise<void>, byItself = false) =>
    timeline.at(start.plus({ hours }), run, { byItself });

  test('the timeline runs due actions in order and sets the clock to the time of each', async () => {
    at(5, note('fifth'));
    at(2, note('second'));
    at(9, note('ninth'));
    at(2, note('second too'));
    expect(hoursOf(await timeline.advance({ hours: 6 }))).toBe(6);
    expect(ran).toEqual([
      ['second', 2],
      ['second too', 2],
      ['fifth', 5],
    ]);
    await timeline.advance({ hours: 6 });
    expect(ran.slice(3)).toEqual([['ninth', 9]]);
    expect(hoursOf(clock.now())).toBe(12);
  });

  test('the timeline runs actions planned by other actions in the same move', async () => {
    at(1, () => {
      note('first')();
      at(3, note('planned'));
    });
    at(2, note('between'));
    await timeline.advance({ hours: 4 });
    expect(ran).toEqual([
      ['first', 1],
      ['between', 2],
      ['planned', 3],
    ]);
  });

  test('the timeline runs overdue actions at the start of a move, because the clock never goes back', async () => {
    at(-24, note('yesterday'));
    at(0, note('now'));
    await timeline.advance({ hours: 1 });
    expect(ran).toEqual([
      ['yesterday', 0],
      ['now', 0],
    ]);
  });

  test('the timeline waits until the work of an action has ended', async () => {
    let finish: () => void = () => undefined;
    at(1, async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      note('answered')();
      at(1.5, note('repeated'));
    });
    at(2, note('later'));
    const moved = timeline.advance({ hours: 3 });
    await new Promise(setImmediate);
    expect([ran, hoursOf(clock.now())]).toEqual([[], 1]);
    finish();
    await moved;
    expect(ran).toEqual([
      ['answered', 1],
      ['repeated', 1.5],
      ['later', 2],
    ]);
  });

  test('the timeline runs simultaneous moves one after another', async () => {
    at(1, async () => await new Promise(setImmediate));
    at(3, note('third'));
    const [first, second] = await Promise.all([timeline.advance({ hours: 2 }), timeline.advance({ hours: 2 })]);
    expect([hoursOf(first), hoursOf(second)]).toEqual([2, 4]);
    expect(ran).toEqual([['third', 3]]);
  });

  test("the timeline doesn't run canceled actions", async () => {
    const callOff = at(1, note('called off'));
    callOff();
    at(1, note('stays'));
    await timeline.advance({ hours: 1 });
    at(2, note('forgotten'));
    timeline.reset();
    await timeline.advance({ hours: 5 });
    expect(ran.map(([name]) => name)).toEqual(['stays']);
  });

  test('the timeline ends current and waiting moves on a reset', async () => {
    let finish: () => void = () => undefined;
    at(1, async () => await new Promise<void>((resolve) => (finish = resolve)));
    at(2, note('forgotten'));
    const moved = [timeline.advance({ days: 1 }), timeline.advance({ days: 1 })];
    await new Promise(setImmediate);
    timeline.reset();
    finish();
    await Promise.all(moved);
    expect([ran, hoursOf(clock.now())]).toEqual([[], 0]);
  });

  test('the timeline refuses to go back', async () => {
    await expect(timeline.advance({ hours: -1 })).rejects.toThrow(RangeError);
    await expect(timeline.advance({ hours: Number.NaN })).rejects.toThrow();
    expect(hoursOf(clock.now())).toBe(0);
  });

  test('without a move, only real-time actions run', async () => {
    jest.useFakeTimers({ now: start.toMillis() });
    const soon = 20 / HOUR;
    at(soon, note('charge'));
    at(soon, note('delivery'), true);
    await jest.advanceTimersByTimeAsync(19);
    expect(ran).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(ran.splice(0).map(([name]) => name)).toEqual(['delivery']);
    await timeline.advance({ seconds: 1 });
    expect(ran.map(([name]) => name)).toEqual(['charge']);
  });
});
