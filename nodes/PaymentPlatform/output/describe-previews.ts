import type { IDataObject } from 'n8n-workflow';

import { FileToSend } from '../fields/kinds/file';
import { namesAmount } from '../fields/kinds/number';
import { currencyLetters } from '../fields/currencies';
import { isEmpty } from '../fields/value';
import { maskRecord, scrubberOf } from '../messages/scrubber';
import { inMoney, inRow } from '../messages/what-happened';
import type { Failure } from '../model/failure';
import { GUARDS } from '../model/guards';
import { fieldsByName, originalRequest, sentReferences } from '../model/operation';
import { amountOf } from '../model/read-amounts';
import type { RequestResult } from '../model/results';
import { LEFT, type PlannedRequest } from '../model/types';
import { asText, objectIn } from '../shared/objects';
import { maskCardsInId } from '../shared/privacy';
import { ROLES } from '../wire/marks';
import { headline } from './node-error';

const [CURRENCY] = ROLES.currency;

/**
 * Result of an item in a real run: the node sends it, decides after an earlier item what to send, returns a record that
 * exists, or refuses the item.
 */
type Decision = 'send' | 'depends_on_earlier_row' | 'return_existing' | 'refuse';

/** Failure of an item that a preview doesn't decide. The preview names the earlier item instead. */
export const UNDECIDED: Failure = { outcome: 'invalid', message: 'The request depends on an earlier item', advice: '' };

/** Requests that the node would send. */
export class Preview {
  /** Requests of each input item, in the order in which the node would send them. */
  readonly requests = new Map<number, PlannedRequest[]>();
  /** Earlier items on which the node's decision for an item depends, by the later item. */
  readonly earlier = new Map<number, { item: number; reason: string }>();
  private readonly changed = new Map<string, number>();

  send(request: PlannedRequest): void {
    const { items, objectKey } = request;
    for (const item of items) this.requests.set(item, [...(this.requests.get(item) ?? []), request]);
    const [first = 0] = items;
    if (objectKey !== undefined && !this.changed.has(objectKey)) this.changed.set(objectKey, first);
  }

  /**
   * Returns whether an earlier item changes the record that the node reads to decide this request. Gateway requests
   * don't change these records.
   */
  isDependent({ items: [item = 0], family, objectKey = '' }: PlannedRequest): boolean {
    const earlier = family === 'gateway' ? undefined : this.changed.get(objectKey);
    if (earlier === undefined || earlier === item) return false;
    this.earlier.set(item, { item: earlier, reason: 'changes the same record' });
    return true;
  }

  /** Returns whether an item has the key of an earlier item that the node decides later. */
  isOfUndecidedKey({ items: [item = 0] }: PlannedRequest, { items: [earlier = 0] }: PlannedRequest): boolean {
    if (!this.earlier.has(earlier)) return false;
    this.earlier.set(item, { item: earlier, reason: `has the same key of "${GUARDS.oncePerKey}"` });
    return true;
  }
}

/** Preview of an item. `amount` and `currency` are missing if the request doesn't contain them. */
interface ItemPreview extends IDataObject {
  preview: true;
  what_would_happen: string;
  decision: Decision;
}

type Previewed = RequestResult & { kind: 'done'; records: ItemPreview[] };

/** Converts the results of a preview to items. A refused item doesn't fail, so that one preview shows all problems. */
export const describePreviews = (results: RequestResult[], { requests, earlier }: Preview): Previewed[] =>
  results.flatMap((result) =>
    result.items.map((item): Previewed => {
      const [[request, ...further] = [], first] = [requests.get(item), earlier.get(item)];
      const other = first === undefined ? notSending(result) : depending(first);
      return { items: [item], kind: 'done', records: [request ? sending(request, further, item) : other] };
    }),
  );

/**
 * Counts the items by decision, and adds up the amounts by currency.
 * @param goesOn whether a run continues after a refused item.
 */
export function previewHint(previews: Previewed[], goesOn: boolean): string {
  const all = previews.flatMap(({ records }) => records);
  const of = (wanted: Decision) => all.filter(({ decision }) => decision === wanted);
  const sums = new Map<unknown, number>();
  for (const { amount, currency } of of('send'))
    if (typeof amount === 'number') sums.set(currency, (sums.get(currency) ?? 0) + Math.round(amount * 1000));
  const money = [...sums].map(([currency, thousandths]) => inMoney(thousandths / 1000, currency)).join(', ');
  const rows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;
  const refused = of('refuse').length;
  const counts: Array<[string, number]> = [
    ['decide after an earlier row what to send for', of('depends_on_earlier_row').length],
    ['return existing records for', of('return_existing').length],
    ['refuse', refused],
  ];
  const others = counts.flatMap(([verb, count]) => (count > 0 ? [`${verb} ${rows(count)}`] : []));
  const would = inRow([`send ${rows(of('send').length)}${money && ` (${money})`}`, ...others]);
  const stop =
    ' Because "On Error" is "Stop Workflow", a refused row would stop the run, and the node might send no row.';
  return `Preview: nothing was sent. The node would ${would}.${refused > 0 && !goesOn ? stop : ''}`;
}

function sending(request: PlannedRequest, further: PlannedRequest[], item: number): ItemPreview {
  const { operation, values, perItem, items } = request;
  const own = perItem?.[items.indexOf(item)] ?? values;
  const amount = amountOf(request);
  const { serverDefault } = fieldsByName(operation).get(CURRENCY) ?? {};
  const { amt_refundable: before, tran_currency: currencyRead } = objectIn(own.node[LEFT]);
  const code = isEmpty(own.body[CURRENCY]) ? (serverDefault ?? currencyRead) : own.body[CURRENCY];
  const currency = code === undefined ? undefined : currencyLetters(asText(code));
  const money = amount === undefined || amount === 0 ? [] : [inMoney(amount, currency)];
  const details = [...money, ...namedIds(request)].join(', ');
  const left = amount !== undefined && typeof before === 'number' ? before - amount : -1;
  const remaining = left === 0 ? 'nothing is left to refund' : `${inMoney(left, currency)} could still be refunded`;
  const rest = left < 0 ? '' : ` After that, ${remaining}.`;
  const does = [request, ...further].map((one) => verbs(one.operation.action)).join(', then ');
  return {
    preview: true,
    what_would_happen: `Would ${does}${details && `: ${details}`}.${rest}`,
    decision: 'send',
    ...(amount !== undefined && amount !== 0 && { amount }),
    ...(currency !== undefined && { currency }),
    request: shownRequest(request),
    ...(further.length > 0 && { further_requests: further.map(shownRequest) }),
  };
}

function shownRequest(request: PlannedRequest): IDataObject {
  const { method, path, values } = request;
  const scrubber = scrubberOf(request);
  return {
    method,
    path: path
      .split('/')
      .map((part) => scrubber.id(part))
      .join('/'),
    ...(Object.keys(values.query).length > 0 && { query: shown(request, values.query) }),
    ...(method !== 'GET' && method !== 'DELETE' && { body: shown(request, values.body) }),
  };
}

/** Converts an action such as "Charge saved card to take payment (transaction)" to a phrase after "would". */
function verbs(action: string): string {
  const phrase = action.replace(/ \([^)]*\)$/, '');
  return `${phrase.charAt(0).toLowerCase()}${phrase.slice(1)}`;
}

function namedIds(request: PlannedRequest): string[] {
  const fields = fieldsByName(request.operation);
  const { reference } = request.values;
  return Object.entries(sentReferences(request)).flatMap(([name, value]) =>
    name === reference?.name || namesAmount(name) ? [] : [`${fields.get(name)?.label ?? name} ${asText(value)}`],
  );
}

const NEW_REFERENCE = 'made when the node sends the item';

/** Masks secrets, names files, and omits the node's own reference, because each execution makes another one. */
function shown(request: PlannedRequest, fields: IDataObject): IDataObject {
  const { reference } = request.values;
  const isNew = originalRequest(request).options.oncePerKey === undefined;
  const plain = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof FileToSend ? value.fileName : name === reference?.name && isNew ? NEW_REFERENCE : value,
  ]);
  const [masked = {}] = scrubberOf(request).records([maskRecord(Object.fromEntries(plain) as IDataObject)]);
  // The user may have mapped a card number to a field for an ID, which records show in full.
  const shownField = ([name, value]: [string, IDataObject[string]]): [string, IDataObject[string]] => [
    name,
    typeof value === 'string' && /^[\w-]+$/.test(value) ? maskCardsInId(value) : value,
  ];
  return Object.fromEntries(Object.entries(masked).map(shownField));
}

const depending = ({ item, reason }: { item: number; reason: string }): ItemPreview => ({
  preview: true,
  what_would_happen: `Would decide after row ${item + 1} what to send, because row ${item + 1} ${reason}.`,
  decision: 'depends_on_earlier_row',
});

function notSending(result: RequestResult): ItemPreview {
  const refuse = (why: string): ItemPreview => ({
    preview: true,
    what_would_happen: `Would send nothing. ${why}.`,
    decision: 'refuse',
  });
  if (result.kind === 'notStarted') return refuse(result.reason ?? 'The run stopped');
  if (result.kind === 'failed') return refuse(headline(result.failure));
  const { records, found, existed } = result;
  const why = existed
    ? `a matching record already exists${found === undefined ? '' : ` (${found})`}`
    : 'the service already has the requested values, or an earlier attempt completed the item';
  return {
    preview: true,
    what_would_happen: `Would send nothing, because ${why}.`,
    decision: 'return_existing',
    ...(records[0] && { existing: records[0] }),
  };
}
