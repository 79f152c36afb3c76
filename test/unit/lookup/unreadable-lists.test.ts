import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ListCache } from '../../../nodes/PaymentPlatform/lookup/list-cache';
import type { Footprint, Listing } from '../../../nodes/PaymentPlatform/model/footprint';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import { BASE_URL } from '../fake-service';

const noon = DateTime.fromISO('2030-01-01T12:00', { zone: 'utc' });
const made: Listing = { path: '/platform/invoice', identity: 'id', newestBy: 'id' };
const since = { at: noon, above: '0' };
const footprint = {
  list: made,
  filter: () => [],
  compare: ({ rows }: IDataObject) => [rows ? 'equal' : 'notShown'],
  details: { name: 'rows', path: () => '/platform/invoice/1' },
} as unknown as Footprint;

const reads: Array<[string, (lists: ListCache) => Promise<object | string>]> = [
  ['the highest ID before a write', async (lists) => await lists.highest(made, () => true)],
  ['the newest records', async (lists) => await lists.latest({ list: made }, { since, filter: [] })],
  ["the whole list for one item's duplicates", async (lists) => await lists.whole(made, [noon], [])],
  ["the whole list for several items' duplicates", async (lists) => await lists.whole(made, [noon, noon], [])],
  [
    'the details of a record',
    async (lists) => await lists.complete(footprint, { path: {}, body: {} }, { records: [{ id: 1 }] }),
  ],
];

const listsOf = (body: object) => {
  const httpRequestWithAuthentication = async () =>
    await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify(body) });
  const context = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
  const account = { baseUrl: BASE_URL } as Account;
  return new ListCache({ context, account, options: { timeoutMs: 1 } }, async () => await Promise.resolve());
};

describe.each([
  ['a list', { data: [{ id: 1 }] }],
  ['a record', { id: 1 }],
])('a response that contains %s but no code', (_, body) => {
  test.each(reads)('a response without a code is not accepted as %s', async (_, read) => {
    expect(JSON.stringify(await read(listsOf(body)))).toContain('unknown');
    expect(JSON.stringify(await read(listsOf({ code: 0, message: 'm', data: [{ id: 1 }] })))).not.toContain('unknown');
  });
});
