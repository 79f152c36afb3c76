import type { IDataObject } from 'n8n-workflow';

import { isEmpty } from '../../fields/value';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import type { FieldValues, RequestDeclaration, Step } from '../../model/types';
import { objectIn, objectsIn, only, comparableText } from '../../shared/objects';
import type { Facts } from '../../wire/facts';
import * as wire from '../../wire/operations';
import { Contact, CheckoutSettings, LineItem, PaymentTerm, SalesTax } from '../../wire/schemas';
import { keepOthers, keeps, lookFor, takenOf } from '../merge-with-current';
import { checkContacts } from './fields';

/** Without this option, the service replaces complete objects and lists. */
export const keepInvoice = () =>
  keepOthers(
    'Whether empty fields keep their current values, including fields within contacts. If the node detects another change, it sends nothing. If this is off, each object that you enter, such as a contact, replaces the existing object.',
  );

/** These objects' fields change independently. */
const BY_PART: Record<string, Facts> = {
  from_contact: Contact,
  billing_contact: Contact,
  checkout_settings: CheckoutSettings,
};
const WHOLE: Record<string, Facts> = { sales_tax: SalesTax, payment_terms: PaymentTerm };

function taken(name: string, value: IDataObject[string]): IDataObject[string] {
  const facts = BY_PART[name] ?? WHOLE[name];
  if (facts) return takenOf(objectIn(value), facts);
  return name === 'line_items' ? objectsIn(value).map((line) => takenOf(line, LineItem)) : value;
}

const movesAlone = ({
  body: { customer_id: customer, billing_contact: contact },
}: Pick<FieldValues, 'body'>): boolean => customer !== undefined && contact === undefined;

const isMoved = (record: IDataObject, body: IDataObject): boolean =>
  body.customer_id !== undefined && comparableText(record.customer_id) !== comparableText(body.customer_id);

const OTHER_CONTACT =
  'Nothing was changed, because the invoice would go to the contact of the previous customer. Add the "Billing Contact" of the new customer too';

/** The service would still send the invoice to the previous customer (service.md#invoices). */
const leavesContact = (record: IDataObject, { body }: Pick<FieldValues, 'body'>): boolean =>
  isMoved(record, body) &&
  body.billing_contact === undefined &&
  !Object.values(objectIn(record.billing_contact)).every(isEmpty);

/** Merges the fields of a contact, but never those of two customers. */
const completedPart = (name: string, before: IDataObject[string], given: IDataObject[string], isOthers: boolean) =>
  name in BY_PART && !(isOthers && name === 'billing_contact') ? { ...objectIn(before), ...objectIn(given) } : given;

function completed(record: IDataObject, body: IDataObject, facts: Facts): IDataObject {
  const before = Object.fromEntries(
    Object.entries(takenOf(record, facts)).map(([name, value]) => [name, taken(name, value)]),
  );
  const isOthers = isMoved(record, body);
  const changed = Object.entries(body).map(
    ([name, value]) => [name, completedPart(name, before[name], value, isOthers)] as const,
  );
  return { ...before, ...Object.fromEntries(changed) };
}

type Changes = 'updateDraftInvoice' | 'updateOutstandingInvoice';

/**
 * Adds the invoice's current values to the body, unless the user disabled "Leave Empty Fields Unchanged".
 * @param facts fields that the request accepts.
 * @param needed labels of required fields, by name.
 */
export const completing = (
  request: RequestDeclaration<Changes>,
  facts: Facts,
  needed: Record<string, string> = {},
): Step<ValuesOf<Changes>, Given<RecordOf<'getInvoiceDetail'>>> => ({
  look: (values) => (keeps(values) || movesAlone(values) ? lookFor(wire.getInvoiceDetail.request, values) : undefined),
  unchanged: true,
  decide: ([found], values) => {
    if (!keeps(values) && !movesAlone(values)) return { request: { to: request, body: values.body } };
    if (!found) return { refuse: 'No invoice has this ID, so nothing was sent' };
    if (leavesContact(found, values)) return { refuse: OTHER_CONTACT };
    if (!keeps(values)) return { request: { to: request, body: values.body } };
    const body = completed(found, values.body, facts);
    const [lacking] = Object.entries(needed).filter(([name]) => isEmpty(body[name]));
    if (lacking) return { refuse: `"${lacking[1]}" is required, because the invoice has no current value` };
    const [unreachable] = checkContacts(only(body, Object.keys(values.body)));
    if (unreachable) return { refuse: `"${unreachable.label}" is required, because the invoice has no current value` };
    const kept = Object.keys(body).filter((name) => !(name in values.body));
    return { request: { to: request, body, kept } };
  },
});
