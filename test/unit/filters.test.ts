import type { IDataObject } from 'n8n-workflow';

import { readDocument, valueAt } from '../../interface/document';
import { readField } from '../../nodes/PaymentPlatform/fields/read';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { getTransactions } from '../../nodes/PaymentPlatform/resources/report/get-transactions';
import { cardTypes, requestTypes, transactionStatuses } from '../../nodes/PaymentPlatform/resources/report/words';

const [, filters] = getTransactions.fields as [Field, Field];
const read = (item: object) => {
  const problems: Problem[] = [];
  const parameters = { filterMode: 'fields', filter: { item: [{ condition: 'IS', ...item }] } } as IDataObject;
  return { value: readField(filters, parameters, problems, { timezone: 'utc' }), problems };
};

test.each([
  [{ field: 'tran_status', value: 'C' }, 'tran_status,IS,C'],
  [{ field: 'tran_status', value: 'captured' }, 'tran_status,IS,C'],
  [{ field: 'tran_status', value: 'v' }, 'tran_status,IS,v'],
  [{ field: 'tran_status', value: 'X' }, 'tran_status,IS,X'],
  [{ field: 'request_type', value: 'Refund' }, 'request_type,IS,refund'],
  [{ field: 'card_type', value: 'Visa' }, 'card_type,IS,VS'],
  [{ field: 'purchase_id', value: 'Captured' }, 'purchase_id,IS,Captured'],
  [{ field: '__other', fieldOther: 'tran_status', value: 'Captured' }, 'tran_status,IS,C'],
])('%j is the filter %s', (item, wanted) => expect(read(item)).toEqual({ value: [wanted], problems: [] }));

test('a value with a bar is refused, picked or typed', () => {
  for (const field of ['tran_status', 'purchase_id'])
    expect(read({ field, value: 'C|S' }).problems).toMatchObject([{ allowed: 'must not contain a vertical bar (|)' }]);
});

test.each([
  ['tran_status', transactionStatuses],
  ['request_type', requestTypes],
  ['card_type', cardTypes],
])('the words of %s are those of all values that are known', (name, words) => {
  const known = knownValues(name);
  expect(words.map(({ value }) => value).sort()).toEqual(Object.keys(known).sort());
});

/** What the interface says of a field of the transaction report. */
function knownValues(name: string): Record<string, string> {
  const at = `/components/schemas/TransactionRequestRecord/properties/${name}`;
  const schema = valueAt(readDocument(), at) as { $ref?: string; 'x-known-values'?: Record<string, string> };
  if (!schema.$ref) return schema['x-known-values'] ?? {};
  return (valueAt(readDocument(), schema.$ref.slice(1)) as typeof schema)['x-known-values'] ?? {};
}
