import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ID_FIELDS } from './books';
import type { OperationName } from './schedule';
import { stepsOf } from './split';

/** What the node said of one item. */
export interface Told {
  item: number;
  outcome: string;
  /** Of the record, when it said done. */
  id?: string;
  /** How many steps of the item it said are done, when it said so. */
  steps?: number;
}

/** What was said of one write of an item in steps. */
export function toldOfStep(operation: OperationName, told: Told, step: number): Told {
  const last = stepsOf(operation).length - 1;
  const { item, outcome, steps = 0 } = told;
  if (last === 0 || (step === last && (steps === last || outcome === 'done'))) return told;
  if (step < steps || outcome === 'done') return { item, outcome: 'done' };
  // It is about the step before: of this one it says nothing.
  return step > steps && ['doneBefore', 'unknown'].includes(outcome) ? { item, outcome: 'unknown' } : told;
}

/** Words of Duplicate Check and If It Exists Already, whose outcome is a refusal: they say that it was done before. */
const FOUND = /(Duplicate Check found that t|T)his (may have been|was) done already/;

/** Words about an item of which a part is done. */
const IN_PART = /(\d+) of \d+ steps were done/;

const idOf = (operation: OperationName, record: IDataObject): string | undefined => {
  const id = record[ID_FIELDS[operation]];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

const done = (operation: OperationName, item: number, record: IDataObject): Told => {
  const id = idOf(operation, record);
  return { item, outcome: 'done', ...(id !== undefined && { id }) };
};

function toldByFailure(item: number, { outcome, message }: IDataObject): Told {
  const [, steps] = IN_PART.exec(message as string) ?? [];
  return {
    item,
    outcome: FOUND.test(message as string) ? 'doneBefore' : (outcome as string),
    ...(steps !== undefined && { steps: Number(steps) }),
  };
}

/** What a run that ended well said of its items. */
export function toldByOutput(operation: OperationName, output: INodeExecutionData[][]): Told[] {
  return (output[0] ?? []).flatMap(({ json, pairedItem }) => {
    const item = typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
    const error = json.error as IDataObject | undefined;
    const failed = typeof error === 'object' && error !== null && typeof error.outcome === 'string';
    return [failed ? toldByFailure(item, error) : done(operation, item, json)];
  });
}

/** What a tool's call said: one item for the model, without any key that n8n takes for a failure. */
export function toldByTool(operation: OperationName, output: INodeExecutionData[][]): Told[] {
  return (output[0] ?? []).map(({ json }) => ({
    ...done(operation, 0, json),
    ...(typeof json.outcome === 'string' && { outcome: json.outcome }),
  }));
}

/** What a run that threw said of its items; nothing when it was about none of them. */
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

/** Codes by which the node named items that it refused, by item. */
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
  // Of a shared request each item names the code of the whole request.
  if (named.length > 0) return new Map(named);
  const text = `${message} ${description ?? ''} ${JSON.stringify(context ?? {})}`;
  const codes = new Map<number, string>();
  for (const [code, item] of text.matchAll(/\b(\d{1,6})(?:\.\d+)?-[A-Za-z0-9]{5}\b/g)) codes.set(Number(item), code);
  return codes;
}
