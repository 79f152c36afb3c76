import { KEYS } from './keys';
import type { Doing } from './schedule';
import type { World } from './world';
import { BASES } from './wire';

/** Applies a user's change to the saved workflow and its credential between two attempts. */
export function act(world: World, doing: Doing): void {
  const { edits, credential } = world;
  world.note(`a person: ${JSON.stringify(doing)}`);
  if (['amount', 'field', 'key', 'environment'].includes(doing.kind)) world.current.edits += 1;
  switch (doing.kind) {
    case 'amount':
      for (const item of world.editedWith(doing.item)) edits.amounts[item] = doing.cents;
      return;
    case 'rows':
      edits.order = doing.order;
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

/** Resolves each item whose code appeared in the error message. All items of a shared request have the same code. */
function resolve(world: World, { looks, claim }: Extract<Doing, { kind: 'resolve' }>): void {
  for (const code of new Set(world.codes.values())) {
    const step = Number(/^\d+\.(\d+)-/.exec(code)?.[1] ?? 0);
    const named = [...world.codes].filter(([, one]) => one === code).map(([item]) => item);
    // An item that has become invalid has no code of its own, so the code of its request also applies to that item.
    const items = [...named, ...world.sharedWith(named)];
    const found = items.map((item) => world.isApplied(item, step));
    // Skips the code if the service applied only some of the items, because one entry resolves all items of a code.
    if (looks && new Set(found).size > 1) continue;
    const finding = looks ? (found[0] ? 'applied' : 'notApplied') : claim;
    world.edits.resolve = [...world.edits.resolve.filter((entry) => entry.code !== code), { code, finding }];
    for (const [index, item] of items.entries()) world.said(item, step, finding, found[index] === true);
  }
}
