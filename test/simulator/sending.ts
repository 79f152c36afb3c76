import { guardViolation } from './guards';
import { moneyFacts } from './money';
import type { Sent } from './sent';
import { centsOf } from './split';
import type { World } from './world';

/** Checks that a request repeats no write, exceeds no limit, and isn't sent after a failure. */
export function checkSend(world: World, sent: Sent): void {
  const { node, objects, cents = 0, step, number, environment, method, path, execution } = sent;
  world.note(
    `#${number} ${execution > 0 ? `execution ${execution} ` : ''}${environment} ${method} ${path}${objects.length === 0 ? '' : ` (object ${objects.join(', ')}, ${cents} cents)`}: ${JSON.stringify(sent.happening)}`,
  );
  if (objects.length === 0) return;
  if (world.schedule.zone !== undefined) world.violation(`#${number} was sent although the time zone does not exist`);
  for (const object of objects) {
    const write = world.writeOf({ node, object, cents, step });
    if (isFirstInEnvironment(world, sent, write)) world.ledger.want(write);
    const problem = world.ledger.enter(write, sent, world.canResend);
    if (problem !== undefined) world.violation(`${write}: ${problem}`);
    guarded(world, sent, object);
    looked(world, sent, write);
  }
  if (world.isStopped) world.violation(`#${number} began after the execution was stopped`);
  gated(world, sent);
}

/** A key of Once per Key is valid for one environment. */
function isFirstInEnvironment(world: World, { environment, execution }: Sent, write: string): boolean {
  const earlier = world.ledger.sentFor(write);
  const isApart = (other: Sent) =>
    other.environment !== environment &&
    world.executions.firstOf(other.execution) !== world.executions.firstOf(execution);
  return world.schedule.options.oncePerKey === true && earlier.length > 0 && earlier.every(isApart);
}

function guarded(world: World, sent: Sent, object: number): void {
  const { options } = world.schedule;
  const operation = world.operationOf(sent.node);
  if (world.isOccupied(sent.node, object)) world.violation(`object ${object}: sent although its number is in use`);
  // An execution keeps the parameters with which it began.
  const edits = { ...world.edits, limitPerItem: world.limits.get(sent.execution) };
  const problems = world.rows.flatMap((row, number) => {
    const cents = world.centsNow(number);
    const isMeant = row.object === object && centsOf(operation, cents, sent.step) === sent.cents;
    return isMeant ? [guardViolation(world.schedule, edits, row, { ...sent, cents })] : [];
  });
  // Identical items may have different limits, so one item that permits the write is enough.
  const [first] = problems;
  if (first !== undefined && problems.every((problem) => problem !== undefined)) world.violation(first);
  // All tools of an execution share the total. After n8n is killed, they count from zero.
  const moved = world.ledger.possibleCents(
    (one) =>
      (world.isTool() || one.node === sent.node) &&
      (world.isTool() ? world.executions.remembered : world.executions.ancestors).has(one.execution) &&
      !isForgotten(world, one),
  );
  if (options.limitPerExecution !== undefined && moved > options.limitPerExecution)
    world.violation(`${moved} cents may have moved although the limit of an execution is ${options.limitPerExecution}`);
  withinDay(world, sent);
}

/**
 * Returns whether the total omits a write after a kill, because its row is gone or comes later, or its amount changed
 * (docs/reference/guards.md).
 */
function isForgotten(world: World, { execution, node, objects, cents, step }: Sent): boolean {
  if (world.executions.remembered.has(execution)) return false;
  const rows = world.rows.flatMap(({ object }, number) => (objects.includes(object) ? [number] : []));
  return (
    // Any row of the object may have sent the write.
    !rows.every((number) => world.given.has(`${world.executions.current} ${node} ${number}`)) ||
    rows.some(
      (number) =>
        world.centsNow(number) !== world.rows[number]?.cents &&
        centsOf(world.operationOf(node), world.rows[number]?.cents ?? 0, step) === cents,
    )
  );
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Checks the day total of a node. Each environment has a separate total. */
function withinDay(world: World, { node, environment, at }: Sent): void {
  const { limitPerDay } = world.schedule.options;
  // After a kill, the report shows only applied writes, so `checkDays` checks these operations.
  if (limitPerDay === undefined || moneyFacts(world.operationOf(node))) return;
  const moved = world.ledger.possibleCents(
    (other) => other.node === node && other.environment === environment && dayOf(other.at) === dayOf(at),
  );
  if (moved > limitPerDay)
    world.violation(`${moved} cents may have moved although the limit per day is ${limitPerDay}`);
}

export function checkDays(world: World): void {
  const { limitPerDay = Infinity } = world.schedule.options;
  const totals = new Map<string, number>();
  for (const { applied, environment, at, cents = 0, fee = 0 } of world.wire.sent) {
    const day = `${environment} ${dayOf(at)}`;
    if (applied) totals.set(day, (totals.get(day) ?? 0) + cents + fee);
  }
  for (const [day, cents] of totals)
    if (cents > limitPerDay)
      world.violation(`${cents} cents were applied although the limit per day is ${limitPerDay} (${day})`);
}

/** Checks that the node searches for an earlier record before it repeats a write. */
function looked(world: World, sent: Sent, write: string): void {
  const { schedule, wire, edits, clock } = world;
  const isOne = world.ledger.wantedTimes(write) === 1;
  if (!isOne || world.isTool() || schedule.options.changing || !moneyFacts(world.operationOf(sent.node))) return;
  const readBadly = wire.sent.some(
    ({ method, run, execution, seen }) =>
      method === 'GET' && run === sent.run && execution === sent.execution && seen !== 'done',
  );
  if (readBadly || Object.keys(edits.amounts).length > 0 || edits.field) return;
  // Only a reference that the node generated is proof in another attempt than that which sent it.
  const { oncePerKey } = schedule.options;
  const hasReference = moneyFacts(world.operationOf(sent.node))?.on !== 'sale' && !schedule.alike?.reference;
  const { ancestors, remembered } = world.executions;
  // A retry in n8n 1 sends other references than an attempt whose data n8n lost.
  const referring = schedule.host?.major === 1 ? remembered : ancestors;
  const known = (execution: number) =>
    (hasReference && (oncePerKey === true || referring.has(execution))) || (!oncePerKey && remembered.has(execution));
  const [earlier] = world.ledger
    .sentFor(write)
    .filter(
      ({ applied, isOnItsWay, seen, execution, edits: then, at }) =>
        applied &&
        !isOnItsWay &&
        seen === 'unknown' &&
        known(execution) &&
        then === sent.edits &&
        clock.now() - at > schedule.service.lagMs + SHOWN_AFTER_MS,
    );
  if (earlier) world.violation(`${write}: sent again although the list shows what #${earlier.number} did`);
}
/** Time in milliseconds that exceeds the total duration of a look-up, a request and a response. */
const SHOWN_AFTER_MS = 600_000;

/** With Once per Key, the node finds the record of any execution. The field that a record lacks may not matter. */
const lookedUp = (world: World, { applied, endedAt = 0, objects }: Sent, next: Sent) =>
  (applied ||
    (world.schedule.options.oncePerKey &&
      world.wire.sent.some((other) => other.applied && other.objects.some((object) => objects.includes(object))))) &&
  world.wire.sent.some(
    ({ method, at, seen, happening, number }) =>
      method === 'GET' && (seen === 'done' || happening.kind === 'lacking') && at >= endedAt && number < next.number,
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
