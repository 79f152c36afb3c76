import { performance } from 'node:perf_hooks';

/** So many turns of the event loop without an event mean that all that is left waits for time. What is sent on loopback is there in the next one. */
const QUIET_TURNS = 20;
/** Work beside the event loop, as a file that is read, a name that is looked up or a connection that is opened: it needs no time of ours. */
const WORK = /Req|ConnectWrap|WriteWrap|ShutdownWrap/;

const isWorking = () => process.getActiveResourcesInfo().some((resource) => WORK.test(resource));
/** How many events the event loop has seen: what arrived over sockets, and work that ended. */
const eventsSoFar = () => performance.nodeTiming.uvMetricsInfo.events;

/**
 * Runs everything in this test file in simulated time: a timer is due as soon as all that can go on without it has gone
 * on. HTTP stays real and takes none of that time; so nobody waits, and what is measured is what was waited for,
 * to the millisecond. Timers of the sockets themselves stay real: a caller gives up by a timer of its own.
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
