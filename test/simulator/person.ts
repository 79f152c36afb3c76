import { KEYS } from './keys';
import type { Doing, Item } from './schedule';
import { centsOf, stepsOf } from './split';
import { toldOfStep } from './told';
import type { World } from './world';
import { BASES } from './wire';

/** Applies a user's change to the saved workflow and its credential between two attempts. */
export function act(world: World, doing: Doing): void {
  const { edits, credential } = world;
  world.note(`a person: ${JSON.stringify(doing)}`);
  if (['amount', 'field', 'key', 'environment'].includes(doing.kind)) world.changes += 1;
  switch (doing.kind) {
    case 'amount':
      for (const item of editedWith(world, doing.item)) edits.amounts[item] = doing.cents;
      return;
    case 'rows':
      edits.order = doing.order;
      return;
    case 'batch':
      edits.batch = doing.size;
      return;
    case 'field':
      edits.field = true;
      return;
    case 'parallel':
      edits.parallel = 3;
      return;
    case 'resend':
      edits.resend = true;
      return;
    case 'limitPerItem':
      edits.limitPerItem = doing.cents;
      return;
    case 'resolve':
      return resolve(world, doing);
    case 'key':
      credential.apiKey = KEYS[world.environment][1];
      return;
    case 'baseUrl':
      credential.baseUrl = BASES[doing.spelling]?.(world.environment) ?? '';
      return;
    case 'environment':
      world.environment = world.environment === 'test' ? 'production' : 'test';
      Object.assign(credential, {
        environment: world.environment,
        baseUrl: BASES[0]?.(world.environment),
        apiKey: KEYS[world.environment][0],
      });
  }
}

function resolve(world: World, { looks, claim }: Extract<Doing, { kind: 'resolve' }>): void {
  for (const code of new Set(world.codes.values())) {
    const step = Number(/^\d+\.(\d+)-/.exec(code)?.[1] ?? 0);
    const named = [...world.codes].filter(([, one]) => one === code).map(([item]) => item);
    // An invalid item has no code of its own, so the code of its request applies to the item.
    const items = [...named, ...sharedWith(world, named)];
    const found = items.map((item) => isApplied(world, item, step));
    // One code resolves all items of a request, so the user must not resolve a partly applied request.
    if (looks && new Set(found).size > 1) continue;
    const finding = looks ? (found[0] ? 'applied' : 'notApplied') : claim;
    world.edits.resolve = [...world.edits.resolve.filter((entry) => entry.code !== code), { code, finding }];
    for (const [index, item] of items.entries())
      for (const one of resolvedSteps(world, item, step)) said(world, item, one, finding, found[index] === true);
  }
}

/** Returns the steps that a code resolves. The code of an edited item that was completed resolves all its steps. */
function resolvedSteps(world: World, number: number, step: number): number[] {
  const isCompleted = world.lastTold.some(({ item, outcome }) => item === number && outcome === 'doneBefore');
  return isCompleted && step === 0 ? stepsOf(world.operationOf(world.lastNode)) : [step];
}

/** Returns whether a user would find that the service applied the item. */
function isApplied(world: World, number: number, step: number): boolean {
  const operation = world.operationOf(world.lastNode);
  const about = world.rows[number];
  if (!about) return false;
  const amounts = (row: number) =>
    [world.rows[row]?.cents ?? 0, world.centsNow(row)].map((cents) => centsOf(operation, cents, step));
  const told = world.lastTold
    .map((one) => toldOfStep(operation, one, step))
    .filter(
      (one) =>
        one.outcome === 'done' &&
        world.rows[one.item]?.object === about.object &&
        amounts(one.item).some((cents) => amounts(number).includes(cents)),
    );
  const write = world.writeOf({ node: world.lastNode, object: about.object, cents: 0, step });
  const found = world.schedule.options.oncePerKey ? world.bookedFor(write) : world.bookedKnown(write);
  return found.filter(({ cents }) => amounts(number).includes(cents)).length > told.length;
}

/** Returns the items that an edit affects. An edit of a card affects every row that contains the card. */
function editedWith(world: World, item: number): number[] {
  const { items, operation } = world.schedule;
  const same = (other: Item) => other.object === items[item]?.object;
  return operation === 'updater' ? items.flatMap((other, index) => (same(other) ? [index] : [])) : [item];
}

/** Returns the other rows in each unresolved request that has a given row. */
function sharedWith(world: World, numbers: number[]): number[] {
  const own = new Set(numbers.map((number) => world.rows[number]?.object ?? -1));
  const objects = world.wire.sent
    .filter(
      ({ node, seen, execution }) =>
        node === world.lastNode && seen === 'unknown' && world.executions.ancestors.has(execution),
    )
    .filter((sent) => sent.objects.some((object) => own.has(object)))
    .flatMap((sent) => sent.objects)
    .filter((object) => !own.has(object));
  return [...new Set(objects)].map((object) => world.rows.findIndex((row) => row.object === object));
}

function said(world: World, number: number, step: number, finding: 'applied' | 'notApplied', applied: boolean): void {
  const about = world.rows[number];
  if (!about) return;
  const { object, cents } = about;
  const write = { node: world.lastNode, object, cents, step };
  if (finding === 'notApplied') world.ledger.allow(world.writeOf(write));
  // If several items use one sale, a user can't always tell which item the service applied.
  const shared = world.rows.filter((other) => other.object === object).length > 1;
  const isOnItsWay = world.wire.sent.some(
    (sent) => sent.node === write.node && sent.objects.includes(object) && sent.isOnItsWay,
  );
  const said = world.saidKey(write);
  if (finding === 'notApplied' && (applied || shared || isOnItsWay)) world.saidNot.add(said);
  if (finding === 'applied') world.saidApplied.add(said);
  if (finding === 'applied' && (!applied || shared)) world.saidWrongly.add(said);
}
