import type { IDataObject } from 'n8n-workflow';
import { decimalProblems } from '../fields/kinds/number';
import type { Problem } from '../fields/types';
import { isAbsent, type Failure } from '../model/failure';
import { amountOf } from '../model/read-amounts';
import { only, toCents } from '../shared/objects';
import type { Account, DecidedRequest, Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import { invalidFailure } from '../output/node-error';
import { declaredFields, fillPath, itemOf, movedBefore, recallSteps } from '../model/operation';
import { couldNotLook, lookUp } from '../service/look-up';
import { adjustPace } from '../service/send';
import { recallFromDatabase } from './results-without-sending';
import type { SharedRun } from './shared-run';

export const refusal = (message: string): Failure => ({ outcome: 'invalid', message, advice: '' });

/** Refuses a request that the operation doesn't declare or that moves more money than the item's amount. */
export function decideRequest(
  part: PlannedRequest,
  { to, path, query = {}, body = {}, node, kept = [] }: DecidedRequest,
  { merchantId }: Account,
  memory: WriteMemory,
): PlannedRequest | Failure {
  const { operation, values: asked } = part;
  const { method, family, effect, merchant } = to;
  if (!operation.steps?.sends.includes(to))
    return refusal(`This operation does not support the request ${method} ${to.path}`);
  const values = {
    path: { ...asked.path, ...path },
    query: { ...query },
    body: { ...body },
    node: { ...asked.node, ...node },
    ...only(asked, ['merchant', 'timezone']),
    ...(asked.reference && { reference: asked.reference }),
  };
  if (merchant) values[merchant.place][merchant.name] ??= merchantId;
  const problems: Problem[] = [];
  const filled = fillPath(to.path, { ...nothingIn(to.path), ...given(values.path) }, operation.fields, problems);
  if (problems.length > 0) return invalidFailure(problems);
  const request: PlannedRequest = {
    ...part,
    decided: { asked: part, to, kept },
    values,
    method,
    path: filled,
    family,
    effect,
  };
  const fractions = decimalProblems({ ...values.query, ...values.body }, declaredFields(operation));
  if (fractions.length > 0) return invalidFailure(fractions);
  return movesMore(request, part, memory) ?? request;
}

/** Sets `''`, which the node refuses, because a path without a parameter could address all records. */
const nothingIn = (path: string): IDataObject =>
  Object.fromEntries((path.match(/(?<=\{)\w+(?=\})/g) ?? []).map((name) => [name, '']));

const given = (values: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

function movesMore(request: PlannedRequest, asked: PlannedRequest, memory: WriteMemory): Failure | undefined {
  const [most, amount] = [amountOf(asked), amountOf(request)];
  if (most === undefined || amount === 0) return undefined;
  if (amount !== undefined && movedBefore(memory, asked) + toCents(amount) <= toCents(most)) return undefined;
  return refusal(`The requested amount exceeds the maximum for this item (${most})`);
}

/** Many input items may need the same customer record. */
const read = new WeakMap<SharedRun, Map<string, IDataObject>>();

/**
 * Adds fields of the service's record to the body.
 * @returns the body, or a failure if a temporary fault prevented the look-up.
 */
export async function completeBody(
  shared: SharedRun,
  { operation: { completion }, values }: PlannedRequest,
): Promise<{ lacksRecord?: true } & ({ body: IDataObject } | { failure: Failure })> {
  const look = completion?.look(values);
  if (!completion || !look) return { body: values.body };
  const records = read.get(shared) ?? new Map<string, IDataObject>();
  read.set(shared, records);
  let found = records.get(look.path);
  if (!found) {
    const { context, account, options, gate } = shared;
    const answered = (answer: Parameters<typeof adjustPace>[1]) => adjustPace(gate, answer);
    const seen = await lookUp({ context, account, options, answered }, look);
    if ('failure' in seen) {
      const failure = couldNotLook(
        'The node could not read the record of the customer, so nothing was sent',
        seen.failure,
      );
      if (failure.outcome === 'notSent') return { failure };
      if (completion.absent && isAbsent(seen.failure)) return { failure: completion.absent, lacksRecord: true };
    } else [found] = seen.records;
  }
  if (!found) return { body: values.body, lacksRecord: true };
  records.set(look.path, found);
  return { body: { ...values.body, ...completion.add(found, values) } };
}

/**
 * Reads the records that complete the items before the node sends the first item, and refuses items without a record.
 * An item that an earlier attempt may have sent needs no record. Another item of the run may create the record.
 */
export async function refuseWithoutRecord(shared: SharedRun, planned: Planned[]): Promise<Planned[]> {
  const { gate, memory } = shared;
  const requests = planned.flatMap((plan) => ('request' in plan ? [plan.request] : []));
  const created = new Set(requests.map(({ operation, values }) => operation.completion?.creates?.(values)?.path));
  const pathOf = ({ operation, values, options }: PlannedRequest) =>
    options.oncePerKey === undefined && options.existing === undefined
      ? operation.completion?.look(values)?.path
      : undefined;
  const waiting = new Map<string, PlannedRequest[]>();
  for (const request of requests) {
    const path = pathOf(request);
    if (path === undefined || created.has(path) || !isNew(memory, request)) continue;
    waiting.set(path, [...(waiting.get(path) ?? []), request]);
  }
  const failures = new Map<PlannedRequest, Failure>();
  const look = async ([first, ...others]: PlannedRequest[]) => {
    if (!first) return;
    const completed = await gate.run(undefined, async () => await completeBody(shared, first));
    if (!('failure' in completed) || !completed.lacksRecord) return;
    for (const request of [first, ...others]) failures.set(request, completed.failure);
  };
  // After a fault, the node reads the record again when it sends the item.
  await Promise.all([...waiting.values()].map(async (alike) => await look(alike).catch(() => undefined)));
  if (failures.size === 0) return planned;
  // If n8n was killed, only its database shows what an earlier attempt sent.
  const unread = await recallFromDatabase(shared, [...failures.keys()]);
  for (const request of failures.keys()) if (unread.has(request) || !isNew(memory, request)) failures.delete(request);
  return planned.map((plan) => {
    const failure = 'request' in plan ? failures.get(plan.request) : undefined;
    if (!failure || !('request' in plan)) return plan;
    const { request, ...rest } = plan;
    return { ...rest, failure, item: itemOf(request), refused: request };
  });
}

/** Returns whether no earlier attempt may have sent the item. A person may have approved another attempt. */
function isNew(memory: WriteMemory, request: PlannedRequest): boolean {
  const { next, stop } = recallSteps(memory, request);
  return next?.part === 0 && !stop && memory.sentAt(next) === undefined;
}
