import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { extraFields } from '../fields/extra-body';
import { readFields } from '../fields/group';
import type { Field, Problem, ReadContext } from '../fields/types';
import { describe } from '../fields/value';
import { ADDITIONAL_FIELDS, additionalFields, operationParameters } from './description';
import { invalidFailure } from './errors';
import { guardProblems } from './guard';
import { asText } from './objects';
import { readItemOptions } from './options';
import type { Account, Effect, Failure, FieldValues, Operation, PlannedRequest, ShapedRequest } from './types';

export type Planned = { request: PlannedRequest } | { failure: Failure; item: number };

/** A segment of a path can't leave its place: letters, digits, dash and underscore only. */
const PATH_SEGMENT = /^[A-Za-z0-9_-]+$/;

/**
 * Resolves and checks one item: its parameters become a request, or a failure that lists all that is wrong with it.
 * Nothing is sent here.
 */
export function planItem(
  context: IExecuteFunctions,
  operation: Operation,
  account: Account,
  itemIndex: number,
): Planned {
  const problems: Problem[] = [];
  const options = readItemOptions(context, itemIndex, problems);
  const parameters = readParameters(context, operation, itemIndex, problems);
  const readContext: ReadContext = { timezone: context.getTimezone() };
  const record = {
    ...readFields(operation.fields, parameters, problems, readContext),
    ...readFields(
      additionalFields(operation),
      (parameters[ADDITIONAL_FIELDS] ?? {}) as IDataObject,
      problems,
      readContext,
    ),
  };
  const values = byPlace([...operation.fields, ...additionalFields(operation)], record);
  const { merchant } = operation.request;
  values.body = { ...extraFields(operation, values.node, problems), ...values.body };
  if (merchant) values[merchant.place][merchant.name] ??= account.merchantId;
  const { method, path, family, effect, list, query, body } = shapeOf(operation, values, problems);
  Object.assign(values, { query, body });
  if (problems.length === 0 && operation.check) problems.push(...operation.check(values, account));
  if (problems.length === 0) problems.push(...guardProblems(values, account, options));
  if (problems.length > 0) return { failure: invalidFailure(problems), item: itemIndex };
  return {
    request: {
      items: [itemIndex],
      part: 0,
      operation,
      options,
      values,
      method,
      path,
      family,
      effect,
      list,
      objectKey: objectKey(operation, values, effect),
      simplify: parameters.simplify === true,
      ...(operation.list && parameters.returnAll !== true && { limit: Math.max(1, Number(parameters.limit) || 50) }),
    },
  };
}

const shapeOf = (operation: Operation, values: FieldValues, problems: Problem[]): ShapedRequest =>
  operation.shape
    ? operation.shape(values, problems)
    : {
        ...operation.request,
        path: fillPath(operation, values, problems),
        list: operation.list,
        query: values.query,
        body: values.body,
      };

function readParameters(context: IExecuteFunctions, operation: Operation, itemIndex: number, problems: Problem[]) {
  const parameters: IDataObject = {};
  for (const { name, displayName } of operationParameters(operation)) {
    try {
      parameters[name] = context.getNodeParameter(name, itemIndex, '') as IDataObject;
    } catch (error) {
      problems.push({
        label: displayName,
        found: `an expression that fails: ${describe(error instanceof Error ? error.message : 'no reason given')}`,
        allowed: 'must be an expression that gives a value for this item',
      });
    }
  }
  return parameters;
}

function byPlace(fields: Field[], record: IDataObject): FieldValues {
  const values: FieldValues = { path: {}, query: {}, body: {}, node: {} };
  for (const field of fields)
    if (record[field.name] !== undefined) values[field.place][field.name] = record[field.name];
  return values;
}

function fillPath(operation: Operation, values: FieldValues, problems: Problem[]): string {
  return operation.request.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.path[name];
    if (value === undefined) return '';
    const segment = asText(value);
    if (!PATH_SEGMENT.test(segment))
      problems.push({
        label: operation.fields.find((field) => field.name === name)?.label ?? name,
        found: describe(segment),
        allowed: 'must be an ID: letters, digits, dashes and underscores only',
      });
    return encodeURIComponent(segment);
  });
}

/** Reads may overlap; writes to the same object keep their order. */
function objectKey(operation: Operation, values: FieldValues, effect: Effect): string | undefined {
  if (effect === 'reads') return undefined;
  const name = operation.sameObject ?? Object.keys(values.path)[0];
  const value = name === undefined ? undefined : (values.path[name] ?? values.body[name]);
  return value === undefined ? undefined : `${name}:${asText(value)}`;
}
