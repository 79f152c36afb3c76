import { performance } from 'node:perf_hooks';

/** Number of idle event loop turns after which only a timer can continue the test. */
const QUIET_TURNS = 20;
/** Start of the simulated time, so that no test depends on the time of day. */
const START = Date.UTC(2026, 10, 30, 20, 0, 20);
/** Resources that do work outside the event loop, such as reading a file or opening a connection. */
const WORK = /Req|ConnectWrap|WriteWrap|ShutdownWrap/;

const isWorking = () => process.getActiveResourcesInfo().some((resource) => WORK.test(resource));
const eventsSoFar = () => performance.nodeTiming.uvMetricsInfo.events;

/** Runs a test file in simulated time: the next timer fires as soon as no other code can continue. */
export function timeIsSimulated(): void {
  let isOver = false;
  let quietTurns = 0;
  let events = 0;
  const turn = () => {
    if (isOver) return;
    const before = events;
    events = eventsSoFar();
    quietTurns = events === before ? quietTurns + 1 : 0;
    if (quietTurns >= QUIET_TURNS && !isWorking()) {
      quietTurns = 0;
      jest.advanceTimersToNextTimer();
    }
    setImmediate(turn);
  };
  beforeAll(() => {
    jest.useFakeTimers({ now: START, doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
    setImmediate(turn);
  });
  afterAll(() => {
    isOver = true;
    jest.useRealTimers();
  });
}
