import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ID_FIELDS } from './books';
import type { OperationName } from './schedule';
import { stepsOf } from './split';

export interface Told {
  item: number;
  outcome: string;
  /** ID of the record. Set only if the node reported the item as done. */
  id?: string;
  /** Amount that the output shows, in cents. */
  cents?: number;
  steps?: number;
  /** Whether the node reported only that a record may exist. */
  isDoubtful?: boolean;
  /** Whether another item completed the payment with the same key. */
  isByKey?: boolean;
  /** Whether the node reported that another execution made the same payment. */
  isRepeated?: boolean;
}

export function toldOfStep(operation: OperationName, told: Told, step: number): Told {
  const last = stepsOf(operation).length - 1;
  const { item, outcome, steps = 0 } = told;
  if (last === 0 || (step === last && (steps === last || outcome === 'done'))) return told;
  if (step < steps || outcome === 'done') return { item, outcome: 'done' };
  // The message describes an earlier step, so the outcome of this step is unknown.
  return step > steps && ['doneBefore', 'unknown'].includes(outcome) ? { item, outcome: 'unknown' } : told;
}

const FOUND = /A matching record (may already exist|already exists)/;
const DOUBTFUL = /A matching record may already exist/;

/** Amount at the start of a summary, such as "Charged 10.00 USD" or "Charged only 5.00 USD of 10.00 USD". */
const AMOUNT = /^\w+(?: only)? (\d+\.\d{2}) /;
const REPEATED = /^The same [\w ]+ was (?:made|sent) /;
const BY_KEY = /completed an item with the same key/;

const IN_PART = /Completed (\d+) of \d+ steps/;

const idOf = (operation: OperationName, record: IDataObject): string | undefined => {
  const id = record[ID_FIELDS[operation]];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

const done = (operation: OperationName, item: number, record: IDataObject): Told => {
  const id = idOf(operation, record);
  const [, inWords] = AMOUNT.exec(typeof record.what_happened === 'string' ? record.what_happened : '') ?? [];
  const amounts = [record.amt_tran, inWords].flatMap((amount) => (amount === undefined ? [] : [Number(amount) * 100]));
  const cents = amounts.length > 0 && { cents: Math.round(Math.max(...amounts)) };
  return { item, outcome: 'done', ...(id !== undefined && { id }), ...cents };
};

function toldByFailure(item: number, { outcome, message }: IDataObject): Told {
  const [, steps] = IN_PART.exec(message as string) ?? [];
  return {
    item,
    outcome: FOUND.test(message as string) ? 'doneBefore' : (outcome as string),
    ...(steps !== undefined && { steps: Number(steps) }),
    ...(DOUBTFUL.test(message as string) && { isDoubtful: true }),
    ...(BY_KEY.test(message as string) && { isByKey: true }),
    ...(REPEATED.test(message as string) && { isRepeated: true }),
  };
}

export function toldByOutput(operation: OperationName, output: INodeExecutionData[][]): Told[] {
  return (output[0] ?? []).flatMap(({ json, pairedItem }) => {
    const item = typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
    const error = json.error as IDataObject | undefined;
    const failed = typeof error === 'object' && error !== null && typeof error.outcome === 'string';
    return [failed ? toldByFailure(item, error) : done(operation, item, json)];
  });
}

export function toldByTool(operation: OperationName, output: INodeExecutionData[][]): Told[] {
  return (output[0] ?? []).map(({ json }) => ({
    ...done(operation, 0, 'record' in json ? (json.record as IDataObject) : json),
    ...(typeof json.outcome === 'string' && { outcome: json.outcome }),
  }));
}

/** Returns the outcomes of the items of a failed run, or undefined if the error concerns no item. */
export function toldByError(operation: OperationName, error: unknown): Told[] | undefined {
  const data = (error as { context?: { data?: IDataObject } }).context?.data;
  if (!data || !Array.isArray(data.finished)) return undefined;
  const finished = data.finished as IDataObject[];
  const failed = data.failed as IDataObject[];
  const notStarted = data.notStarted as number[];
  return [
    ...finished.map((entry) => done(operation, Number(entry.item), entry)),
    ...failed.map((entry) => toldByFailure(Number(entry.item), entry)),
    ...notStarted.map((item) => ({ item, outcome: 'notStarted' })),
  ];
}

export function codesIn(error: unknown): Map<number, string> {
  const {
    message = '',
    description = '',
    context,
  } = error as {
    message?: string;
    description?: string | null;
    context?: unknown;
  };
  const data = (context as { data?: IDataObject } | undefined)?.data;
  const failed = Array.isArray(data?.failed) ? (data.failed as IDataObject[]) : [];
  const named = failed.flatMap(({ item, resolveCode }): Array<[number, string]> =>
    typeof resolveCode === 'string' ? [[Number(item), resolveCode]] : [],
  );
  // Every item of a shared request has the code of that request.
  if (named.length > 0) return new Map(named);
  const text = `${message} ${description ?? ''} ${JSON.stringify(context ?? {})}`;
  const codes = new Map<number, string>();
  for (const [code, item] of text.matchAll(/\b(\d{1,6})(?:\.\d+)?-[A-Za-z0-9]{5}\b/g)) codes.set(Number(item), code);
  return codes;
}
