import { guardViolation } from './guards';
import { moneyFacts } from './money';
import { sendsAgain } from './parameters';
import type { Sent } from './sent';
import { centsOf } from './split';
import type { World } from './world';

/**
 * Checks each outgoing request. The node must not repeat completed writes, violate a guard, or start a write after a
 * failure.
 */
export function checkSend(world: World, sent: Sent): void {
  const { node, objects, cents = 0, step, number, environment, method, path } = sent;
  world.note(
    `#${number} ${environment} ${method} ${path}${objects.length === 0 ? '' : ` (object ${objects.join(', ')}, ${cents} cents)`}: ${JSON.stringify(sent.happening)}`,
  );
  if (objects.length === 0) return;
  for (const object of objects) {
    const write = world.writeOf({ node, object, cents, step });
    const problem = world.ledger.enter(write, sent, sendsAgain(world.schedule.options, world.edits), world.isLost);
    if (problem !== undefined) world.violation(`${write}: ${problem}`);
    guarded(world, sent, object);
    looked(world, sent, write);
  }
  if (world.isStopped) world.violation(`#${number} began after the execution was stopped`);
  gated(world, sent);
}

function guarded(world: World, sent: Sent, object: number): void {
  const { items, options } = world.schedule;
  const operation = world.operationOf(sent.node);
  const each = world.objectsOfRun();
  const problems = items.flatMap((item, index) => {
    const cents = world.edits.amounts[index] ?? item.cents;
    const isMeant = item.object === object % each && centsOf(operation, cents, sent.step) === sent.cents;
    // Checks the guards for the amount of the whole item, whichever step the request belongs to.
    return isMeant ? [guardViolation(world.schedule, world.edits, item, { ...sent, cents })] : [];
  });
  // Accepts the request if the guards of at least one equal item permit the request, because equal items may have
  // different guards.
  const [first] = problems;
  if (first !== undefined && problems.every((problem) => problem !== undefined)) world.violation(first);
  // After n8n was killed, a tool counts from zero, because n8n stored no amounts of the tool's calls.
  const moved = world.ledger.possibleCents(
    ({ node, execution }) => node === sent.node && (world.isTool() ? world.remembered : world.ancestors).has(execution),
  );
  if (options.limitPerExecution !== undefined && moved > options.limitPerExecution)
    world.violation(
      `${moved} cents may have moved although the limit of a node in an execution is ${options.limitPerExecution}`,
    );
  withinDay(world, sent);
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Checks the daily total of a node. Each environment has a separate total. */
function withinDay(world: World, { node, environment, at }: Sent): void {
  const { limitPerDay } = world.schedule.options;
  if (limitPerDay === undefined) return;
  const moved = world.ledger.possibleCents(
    (other) => other.node === node && other.environment === environment && dayOf(other.at) === dayOf(at),
  );
  if (moved > limitPerDay)
    world.violation(`${moved} cents may have moved although the limit per day is ${limitPerDay}`);
}

/**
 * Checks that the node searches for an earlier record before it repeats a write, even if a user resolved the item. The
 * node must not repeat a write whose record a list contains.
 */
function looked(world: World, sent: Sent, write: string): void {
  const { schedule, wire, edits, clock } = world;
  const isOne = world.ledger.wantedTimes(write) === 1;
  if (!isOne || world.isTool() || schedule.options.changing || !moneyFacts(world.operationOf(sent.node))) return;
  const readBadly = wire.sent.some(
    ({ method, run, execution, seen }) =>
      method === 'GET' && run === sent.run && execution === sent.execution && seen !== 'done',
  );
  if (readBadly || Object.keys(edits.amounts).length > 0 || edits.field) return;
  const [earlier] = world.ledger
    .sentFor(write)
    .filter(
      ({ applied, isOnItsWay, seen, execution, edits: then, at }) =>
        applied &&
        !isOnItsWay &&
        seen === 'unknown' &&
        world.remembered.has(execution) &&
        then === sent.edits &&
        clock.now() - at > schedule.service.lagMs + SHOWN_AFTER_MS,
    );
  if (earlier) world.violation(`${write}: sent again although the list shows what #${earlier.number} did`);
}
/** Time in milliseconds that exceeds the total duration of a look-up, a request and a response. */
const SHOWN_AFTER_MS = 600_000;

/**
 * Returns whether the service applied a write and the node then read the service successfully before sending the next
 * write.
 */
const lookedUp = (world: World, { applied, endedAt = 0 }: Sent, next: Sent) =>
  applied &&
  world.wire.sent.some(
    ({ method, at, seen, number }) => method === 'GET' && seen === 'done' && at >= endedAt && number < next.number,
  );

/** If On Error stops the workflow, checks that a run starts no write after a failed response. */
function gated(world: World, sent: Sent): void {
  if (world.isTool() || world.schedule.node.onError !== 'stopWorkflow') return;
  const failed = world.wire.sent.find(
    (other) =>
      other.run === sent.run &&
      other.objects.length > 0 &&
      other.endedAt !== undefined &&
      (other.seen === 'refused' || (other.seen === 'unknown' && !lookedUp(world, other, sent))),
  );
  if (failed) world.violation(`#${sent.number} began after #${failed.number} had failed (${failed.seen})`);
}
