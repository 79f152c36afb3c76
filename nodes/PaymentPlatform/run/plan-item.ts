import { NodeOperationError, type IDataObject, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { decimalProblems, exactDecimal, hasTwoReadings } from '../fields/kinds/number';
import type { Alternative } from '../fields/alternatives';
import { readField, readFields } from '../fields/read-field';
import type { Field, FindFile, Problem, ReadContext } from '../fields/types';
import { describe, isEmpty, isReference, parameterName } from '../fields/value';
import { asText, isTooDeep, NOT_DEEPER, objectIn } from '../shared/objects';
import { ADDITIONAL_FIELDS } from '../fields/editor';
import { additionalFields, EXTRA_BODY, extraBody, extraFields, takeExtras } from '../model/extra-fields';
import { parametersOf } from '../output/own-parameters';
import { factsOf, type FileFound } from '../service/read-files';
import { invalidFailure, unreadableItem } from '../output/node-error';
import { fillPath, declaredFields, inSteps, listsRecords, resourcesAt, takesMany } from '../model/operation';
import { generateReference } from '../fields/common';
import { guardProblems, inForce } from '../limits/check-guards';
import { GUARDS } from '../model/guards';
import { useLabels } from '../messages/describe-failure';
import { DEFAULT_RUN_OPTIONS, NO_OPTIONS, OPTIONS, readItemOptions, readRunOptions, yesOrNo } from './read-options';
import type { GivenOptions, RunOptions } from '../model/option-types';
import { whereToCorrect } from './where-to-correct';
import { isGiven, readParameter, timeZoneOf } from '../n8n/read-parameter';
import { nameItem, nameRows, type Rows } from '../messages/name-rows';
import { Scrubber, findSecrets } from '../messages/scrubber';
import { isTool } from '../n8n/lineage';
import { unfixedGuards } from '../limits/tool-guards';
import { readFileOutput, type FileSettings } from '../output/file-output';
import { readOutput, type ShownFields } from '../output/tool-output';
import { ROLES } from '../wire/marks';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { Gate } from '../service/gate';
import { batchItems } from './batch-items';
import { PlanningReads, referenceProblems, earlierAttempts } from './read-before-planning';
import type { SharedRun } from './shared-run';
import type {
  Account,
  Effect,
  FieldValues,
  Operation,
  Planned,
  PlannedRequest,
  Resource,
  ShapedRequest,
} from '../model/types';

const [MERCHANT] = ROLES.merchant;

/** Data that the node reads before it plans an item. */
interface Sources {
  file?: FindFile;
  reads?: () => PlanningReads;
}

/**
 * Reads and checks an item. Sends nothing.
 * @param node node of the run, because each call to `getNode` copies it.
 * @returns the request, or a failure with all problems.
 */
export function planItem(
  context: IExecuteFunctions,
  operation: Operation,
  account: Account,
  itemIndex: number,
  node: INode = context.getNode(),
  { file, reads }: Sources = {},
): Planned {
  let problems: Problem[] = [];
  // Without options, only a tool and an operation that affects the whole merchant have guards.
  const isGuarded = isGiven(node, OPTIONS) || isTool(node) || operation.affectsMerchant === true;
  const unread = operation.request.effect === 'reads' ? [] : problems;
  const given: GivenOptions = isGuarded ? readItemOptions(context, itemIndex, unread, node) : NO_OPTIONS;
  const own = readParameters(context, operation, itemIndex, problems, node, reads);
  const additional = objectIn(own[ADDITIONAL_FIELDS]);
  const { parameters, taken } = EXTRA_BODY in additional ? takeExtras(operation, own) : { parameters: own };
  const isExpression = (name: string) => asText(node.parameters[name]).startsWith('=');
  const readContext: ReadContext = { timezone: timeZoneOf(context), isExpression, file };
  const record = {
    ...readFields(operation.fields, parameters, problems, readContext),
    ...readFields(additionalFields(operation), objectIn(parameters[ADDITIONAL_FIELDS]), problems, readContext),
  };
  const values = byPlace([...declaredFields(operation), extraBody], record);
  const { merchant } = operation.request;
  if (taken) values.body = { ...extraFields(operation, values, taken, problems), ...values.body };
  if (merchant) values[merchant.place][merchant.name] ??= account.merchantId;
  const { query, body, ...shaped } = shapeOf(operation, values, problems);
  const named = { ...query, ...body }[MERCHANT];
  Object.assign(values, {
    query,
    body,
    merchant: isEmpty(named) ? account.merchantId : asText(named).trim(),
    timezone: readContext.timezone,
  });
  problems.push(...checkReference(given, operation, values));
  if (operation.byReference && values.merchant !== account.merchantId)
    problems.push(...referenceProblems(operation, own));
  const { effect } = shaped;
  const { amountToRead } = operation;
  const isAmountRead = amountToRead !== undefined && values.node[amountToRead.by.name] === amountToRead.choice;
  if (isAmountRead)
    problems.push(...(reads?.().setAmount(amountToRead, values, objectKey(operation, values, effect)) ?? []));
  const moved = { operation: inSteps(operation, values), values, ...shaped };
  const options = isGuarded ? inForce(given, moved, node) : NO_OPTIONS;
  const unfixed = isTool(node) ? unfixedGuards(effect, node) : [];
  const others = problems.filter(({ label }) => unfixed.every((one) => one.label !== label));
  problems = [...unfixed, ...others];
  const { file: exported, limits }: FileSettings =
    !isTool(node) && listsRecords(operation)
      ? readFileOutput(parameters, problems, readSwitch)
      : { limits: parameters };
  const shown: ShownFields = isTool(node)
    ? readOutput(parameters, problems)
    : { simplify: !exported && readSwitch('Simplify', parameters.simplify, problems) };
  const limit = operation.list || exported ? listLimit(limits, problems) : undefined;
  // The service itself returns an amount that the node reads.
  const currency = hasReference(operation, own) && !isAmountRead ? reads?.().currency : undefined;
  const fractions = () => decimalProblems({ ...query, ...body }, declaredFields(operation), '', currency);
  if (problems.length === 0) problems = [...(operation.check?.(values, account) ?? []), ...fractions()];
  const isReadable = problems.length === 0;
  if (isReadable && isGuarded) problems = inPanelWords(guardProblems(moved, account, options, node), operation);
  const scrubber = () => Scrubber.of(account.secrets ?? [], findSecrets([values.body, values.query, own]));
  const name = () => nameItem(values, scrubber());
  const request: PlannedRequest = {
    items: [itemIndex],
    part: 0,
    ...moved,
    options,
    secrets: account.secrets,
    objectKey: objectKey(operation, values, effect),
    ...shown,
    ...(exported && { file: exported }),
    ...(limit !== undefined && { limit }),
  };
  const isPreview = given.previewOnly === true && effect !== 'reads';
  if (problems.length === 0) return { name, request, isPreview };
  const advice = whereToCorrect(problems, { context, operation, node, scrubber: scrubber(), extra: taken });
  // A value of the item can equal one of its secrets.
  const failure = scrubber().failure(invalidFailure(problems, advice));
  return { failure, item: itemIndex, name, isPreview, ...(isReadable && { refused: request }) };
}

const hasReference = ({ byReference, fields }: Operation, parameters: IDataObject): boolean =>
  byReference !== undefined && fields.some((field) => isReference(parameters[parameterName(field)]));

/** Plans an item twice: to find its binary properties, and then with the names, sizes and hashes of the files. */
export async function planWithFiles(
  context: IExecuteFunctions,
  operation: Operation,
  account: Account,
  itemIndex: number,
  node: INode,
): Promise<Planned> {
  const named = new Map<string, number>();
  const collect: FindFile = (property, mostBytes) => {
    named.set(property, Math.max(mostBytes, named.get(property) ?? 0));
    return undefined;
  };
  const first = planItem(context, operation, account, itemIndex, node, { file: collect });
  if (named.size === 0) return first;
  const found = new Map<string, FileFound>();
  for (const [property, mostBytes] of named)
    found.set(property, await factsOf(context, itemIndex, property, mostBytes));
  return planItem(context, operation, account, itemIndex, node, { file: (property) => found.get(property) });
}

/**
 * Refuses the If It Already Exists option if only a generated reference identifies the item, because no other record
 * contains that reference.
 */
function checkReference(
  { ifExists }: GivenOptions,
  { reference, footprint }: Operation,
  { path, body, node }: FieldValues,
): Problem[] {
  if ((ifExists?.then ?? 'skip') === 'skip' || !reference || !footprint || !isEmpty(body[reference.name])) return [];
  const allowed = 'requires your own reference, so that the node can find an existing record';
  if (node[generateReference.name] === true)
    return [{ label: generateReference.label, found: `the option "${GUARDS.ifExists}"`, allowed }];
  if (isEmpty(body.amt_tran) || footprint.isIdentifiable({ path, body, node })) return [];
  return [{ label: GUARDS.ifExists, found: 'an item without your own reference', allowed }];
}

const inPanelWords = (problems: Problem[], operation: Operation): Problem[] =>
  problems.map((problem) => ({ ...problem, found: useLabels(problem.found, operation) }));

function listLimit({ returnAll, limit }: IDataObject, problems: Problem[]): number | undefined {
  if (readSwitch('Return All', returnAll, problems)) return undefined;
  const wanted = isEmpty(limit) ? 50 : hasTwoReadings(limit, 0) ? undefined : exactDecimal(limit, 0);
  if (wanted !== undefined && wanted >= 1) return wanted;
  problems.push({ label: 'Limit', found: describe(limit), allowed: 'must be a whole number of at least 1' });
  return undefined;
}

function readSwitch(label: string, value: unknown, problems: Problem[]): boolean {
  if (isEmpty(value)) return false;
  const meant = yesOrNo(value);
  if (meant === undefined) problems.push({ label, found: describe(value), allowed: 'must be true or false' });
  return meant ?? false;
}

function shapeOf(operation: Operation, values: FieldValues, problems: Problem[]): ShapedRequest {
  if (operation.shape) return operation.shape(values, problems);
  const { method, family, effect } = operation.request;
  const path = fillPath(operation.request.path, values.path, operation.fields, problems);
  return { method, path, family, effect, list: operation.list, query: values.query, body: values.body };
}

function readParameters(
  context: IExecuteFunctions,
  operation: Operation,
  itemIndex: number,
  problems: Problem[],
  node: INode,
  reads?: Sources['reads'],
) {
  const parameters: IDataObject = {};
  const { byReference } = operation;
  for (const { name, displayName, alternative, type } of parametersOf(operation)) {
    if (alternative && !counts(alternative, parameters)) continue;
    const value = readParameter(context, node, name, itemIndex);
    if ('failed' in value) problems.push({ label: displayName, ...value.failed });
    else if (isTooDeep(value.value)) problems.push({ label: displayName, found: 'more', allowed: NOT_DEEPER });
    else if (byReference && type === 'resourceLocator' && isReference(value.value))
      parameters[name] = reads?.().findId(byReference, value.value) ?? value.value;
    else parameters[name] = value.value;
  }
  return parameters;
}

const counts = ({ mode, json }: Alternative, parameters: IDataObject) =>
  (readField(mode, parameters, [], { timezone: 'utc' }) === 'json') === json;

function byPlace(fields: Field[], record: IDataObject): FieldValues {
  const values: FieldValues = { path: {}, query: {}, body: {}, node: {} };
  for (const field of fields)
    if (record[field.name] !== undefined) values[field.place][field.name] = record[field.name];
  return values;
}

/** Writes to the same object never overlap. */
function objectKey(operation: Operation, values: FieldValues, effect: Effect): string | undefined {
  if (effect === 'reads') return undefined;
  const name = operation.sameObject ?? Object.keys(values.path)[0];
  const value = name === undefined ? undefined : (values.path[name] ?? values.body[name]);
  return value === undefined ? undefined : `${name}:${asText(value)}`;
}

export interface Prepared extends Pick<SharedRun, 'account' | 'options' | 'gate'> {
  operation: Operation;
  items: Planned[];
  rows: Rows;
}

/**
 * Reads and checks all items. Sends and stores nothing.
 * @throws NodeOperationError if the credential, the time zone or the operation is invalid.
 */
export async function prepareRun(context: IExecuteFunctions, resources: Resource[]): Promise<Prepared> {
  // Refuses a time zone that doesn't exist.
  timeZoneOf(context);
  const operation = chosenOperation(context, resources);
  const node = context.getNode();
  const options = isGiven(node, OPTIONS) ? readRunOptions(context) : DEFAULT_RUN_OPTIONS;
  const gate = openGate(context, options);
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), node);
  let made: PlanningReads | undefined;
  const readsOf = (item: number) => () => Object.assign((made ??= new PlanningReads()), { item });
  const plan = async (item: number) =>
    operation.request.encoding === 'multipart'
      ? await planWithFiles(context, operation, account, item, node)
      : planItem(context, operation, account, item, node, { reads: readsOf(item) });
  const planAll = async () => {
    const items: Planned[] = [];
    // Plans the items one after the other, so that only one file is in memory at a time.
    for (const item of context.getInputData().keys())
      items.push(await planned(async () => await plan(item), context, item));
    return items;
  };
  let items = await planAll();
  while (made?.areMissing) {
    // A tool's calls are no attempts of each other, and a preview stores nothing.
    const isAttempt = !isTool(node) && items.some(({ isPreview }) => !isPreview);
    await made.read(
      { context, account, options, gate },
      items,
      isAttempt ? earlierAttempts(context, account) : undefined,
    );
    items = await planAll();
  }
  made?.addLeft(items);
  let names: Rows['names'] | undefined;
  const rows: Rows = {
    count: items.length,
    get names() {
      return (names ??= nameRows(items));
    },
  };
  return { operation, account, options, gate, items, rows };
}

/** Returns the items' requests, which several items may share. */
export const requestsOf = (operation: Operation, items: Planned[]): Planned[] =>
  takesMany(operation) ? batchItems(operation, items) : items;

/** If planning throws, only this item fails. */
async function planned(plan: () => Promise<Planned>, context: IExecuteFunctions, item: number): Promise<Planned> {
  let made: Planned | undefined;
  try {
    made = await plan();
    // The node serializes these values later. If they can't be serialized, only this item fails.
    const request = 'request' in made ? made.request : made.refused;
    if (request && request.effect !== 'reads') JSON.stringify([request.values, context.getInputData()[item]?.json]);
    return made;
  } catch (error) {
    return { failure: unreadableItem(error), item, isPreview: made?.isPreview === true };
  }
}

function openGate(context: IExecuteFunctions, options: RunOptions): Gate {
  const gate = new Gate({
    most: options.maxParallelRequests,
    longestWaitMs: options.retryTimeMs,
    canceled: () => context.getExecutionCancelSignal()?.aborted === true,
  });
  context.onExecutionCancellation(() => gate.close());
  return gate;
}

function chosenOperation(context: IExecuteFunctions, declared: Resource[]): Operation {
  const resources = resourcesAt(declared, context.getNode().typeVersion);
  const resource = context.getNodeParameter('resource', 0);
  const operation = context.getNodeParameter('operation', 0, '');
  const found = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
  if (found) return found;
  throw new NodeOperationError(
    context.getNode(),
    `The operation "${operation}" of the resource "${resource}" does not exist`,
    {
      description: 'Open the node and choose a resource and an operation.',
    },
  );
}
