import { performance } from 'node:perf_hooks';

/**
 * Number of consecutive event loop turns without an event. After these turns, only a timer can continue the test,
 * because data on the loopback interface arrives in the next turn.
 */
const QUIET_TURNS = 20;
/**
 * Resources that do work outside the event loop, such as reading a file or connecting. The work takes no simulated
 * time.
 */
const WORK = /Req|ConnectWrap|WriteWrap|ShutdownWrap/;

const isWorking = () => process.getActiveResourcesInfo().some((resource) => WORK.test(resource));
/** Returns the number of events that the event loop has processed, such as data from a socket. */
const eventsSoFar = () => performance.nodeTiming.uvMetricsInfo.events;

/**
 * Runs a test file in simulated time. The next timer fires when no other code can continue.
 * HTTP requests are real but take no simulated time, so tests can measure waiting times exactly. Timeouts of sockets
 * stay real, so code under test needs its own timers to cancel a request.
 */
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
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
    setImmediate(turn);
  });
  afterAll(() => {
    isOver = true;
    jest.useRealTimers();
  });
}
