import { performance } from 'node:perf_hooks';

/**
 * Number of event loop turns without an event after which only timers remain. Data sent on loopback arrives in the next
 * turn.
 */
const QUIET_TURNS = 20;
/**
 * Work outside the event loop, such as reading a file, resolving a name or connecting. This work takes no simulated
 * time.
 */
const WORK = /Req|ConnectWrap|WriteWrap|ShutdownWrap/;

const isWorking = () => process.getActiveResourcesInfo().some((resource) => WORK.test(resource));
/** Returns the number of event loop events: data from sockets and completed work. */
const eventsSoFar = () => performance.nodeTiming.uvMetricsInfo.events;

/**
 * Runs this test file in simulated time. A timer fires as soon as nothing else can continue. HTTP is real and takes no
 * simulated time, so tests don't wait and can measure waiting times exactly. Socket timers remain real, so callers must
 * use their own timers to give up.
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
