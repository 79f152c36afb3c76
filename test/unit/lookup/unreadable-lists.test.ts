import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readDay, today } from '../../../nodes/PaymentPlatform/limits/day-report';
import { ListCache } from '../../../nodes/PaymentPlatform/lookup/list-cache';
import type { Footprint, Listing } from '../../../nodes/PaymentPlatform/model/footprint';
import type { RunOptions } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import { dayPayouts } from '../../../nodes/PaymentPlatform/resources/transaction/payout-footprint';
import { WebhookService } from '../../../nodes/PaymentPlatform/trigger/service';
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

const account = { baseUrl: BASE_URL } as Account;
const contextOf = (body: string) => {
  const httpRequestWithAuthentication = async () => await Promise.resolve({ statusCode: 200, headers: {}, body });
  const getExecutionCancelSignal = () => undefined;
  return { helpers: { httpRequestWithAuthentication }, getExecutionCancelSignal } as unknown as IExecuteFunctions;
};

const listsOf = (body: object | string) => {
  const context = contextOf(typeof body === 'string' ? body : JSON.stringify(body));
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

describe('a response that repeats a key', () => {
  const repeated = '{"code":0,"message":"m","data":[{"id":1,"webhook_id":1,"rec_id":1}],"data":[]}';
  const unreadable = 'The node could not read the response';

  test.each(reads)('is not accepted as %s', async (_, read) => {
    expect(JSON.stringify(await read(listsOf(repeated)))).toContain(unreadable);
  });

  test("is not accepted as the day's report or as the list of webhooks", async () => {
    const options = { maxParallelRequests: 1, timeoutMs: 1, maxTries: 1, retryTimeMs: 1 } as RunOptions;
    const day = await readDay({ context: contextOf(repeated), account, options }, dayPayouts, today('utc'));
    expect(day).toMatchObject({ message: expect.stringContaining(unreadable) as string });
    const webhooks = await new WebhookService(contextOf(repeated), account).list();
    expect(webhooks).toMatchObject({ message: expect.stringContaining(unreadable) as string });
  });
});
