import { NodeApiError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { SEARCHES } from '../../../nodes/PaymentPlatform/fields/searches';
import { search } from '../../../nodes/PaymentPlatform/search';
import { testEvery } from '../../every-case';
import { contextOf, credential } from './service';

async function refused(context: ILoadOptionsFunctions): Promise<NodeApiError> {
  const error: unknown = await search(context, 'searchSales').catch((one: unknown) => one);
  if (!(error instanceof NodeApiError)) throw new Error('It was not refused as the editor shows it');
  return error;
}

const answers = (statusCode: number, body: unknown) => contextOf(() => ({ statusCode, body }));
const breaks = (code: string) =>
  contextOf(() => {
    throw Object.assign(new Error(`connect ${code} 10.0.0.1:443`), { code, syscall: 'connect' });
  });

test.each([
  [
    'a list that the account may not read',
    answers(403, { code: 6, message: 'No access' }),
    "This account can't list transactions",
  ],
  [
    'a credential that is not accepted',
    answers(401, { code: 11, message: 'x' }),
    'The service does not accept this credential',
  ],
  ['a host that has no address', breaks('ENOTFOUND'), "The node can't reach the service"],
  ['a service that does not answer', breaks('ECONNREFUSED'), "The node can't reach the service"],
  ['too many requests', answers(429, {}), 'The service is receiving too many requests'],
])('explains %s with advice', async (_, context, message) => {
  const error = await refused(context);
  expect(error.message).toBe(message);
  expect(error.description).toMatch(/[.] Until then, choose "By ID" and enter the ID[.]$/);
});

test.each([
  ['apiKey', 'API Key'],
  ['apiToken', 'API Token'],
])('names the refused secret by its label in the credential: %s', async (authMethod, name) => {
  const given = { ...credential, authMethod, apiToken: 'canary-token' };
  for (const code of [6, 11]) {
    const context = {
      ...answers(200, { code, message: 'x' }),
      getCredentials: async () => await Promise.resolve(given),
    };
    const { description } = await refused(context as unknown as ILoadOptionsFunctions);
    expect(description).toContain(name);
    expect(description).not.toContain(name === 'API Key' ? 'API Token' : 'API Key');
  }
});

test('advises opening the list again if the service failed', async () => {
  const { description } = await refused(answers(500, { code: 99, message: 'x' }));
  expect(description).toBe('Open the list again. Until then, choose "By ID" and enter the ID.');
});

test('explains that no credential is selected and where to select it', async () => {
  const context = {
    ...answers(200, {}),
    getCredentials: async () => await Promise.reject(new Error('Node does not have any credentials set')),
  } as unknown as ILoadOptionsFunctions;
  const error = await refused(context);
  expect(error.message).toBe('No credential is selected');
  expect(error.description).toContain('Select or create a credential');
});

test('names the invalid field of a credential', async () => {
  const context = {
    ...answers(200, {}),
    getCredentials: async () => await Promise.resolve({ ...credential, merchantId: 'abc' }),
  } as unknown as ILoadOptionsFunctions;
  expect((await refused(context)).message).toContain('the Merchant ID must be a number');
});

test('the editor offers the credential for 401 and 403', async () => {
  for (const status of [401, 403]) {
    const error = await refused(answers(status, { code: status === 401 ? 11 : 6, message: 'x' }));
    expect(error.httpCode).toBe(String(status));
    expect(error.message).not.toMatch(/[-–—]/);
  }
});

test('returns the records that were read if the service refuses a query', async () => {
  const context = contextOf(({ qs = {} }) =>
    qs.filter === undefined
      ? {
          statusCode: 200,
          body: {
            code: 0,
            data: Array.from({ length: 100 }, (_, index) => ({
              pg_id: `${Number(qs.page) * 100 + index}`,
              request_type: 'sale',
              tran_status: 'P',
              amt_tran: 49,
            })),
            totalPages: 9,
          },
        }
      : { statusCode: 400, body: { code: 2, message: 'Validation error', data: { filter: 'unknown' } } },
  );
  const { results } = await search(context, 'searchSales', '49');
  expect(results).toHaveLength(50);
});

const listing = (body: object) =>
  contextOf(() => ({ statusCode: 200, body: { code: 0, message: 'm', ...body } }), 'C1');

testEvery([...SEARCHES])('every list explains that it is unreadable, with and without a search', async (name) => {
  const unreadable = [{ data: 'x' }, { data: [null] }, { data: { rows: [] } }, {}, { data: [], totalRecords: '7' }];
  for (const body of unreadable)
    for (const typed of [undefined, 'ana'])
      await expect(search(listing(body), name, typed)).rejects.toMatchObject({
        message: expect.stringMatching(/^The node could not read the response, because it contains /) as string,
        description: expect.stringContaining('Until then, choose "By ID"') as string,
      });
});

testEvery([...SEARCHES])('every list can be empty', async (name) => {
  for (const body of [{ data: [] }, { data: null, totalRecords: 0 }])
    expect((await search(listing(body), name)).results.filter(({ value }) => value !== true)).toEqual([]);
});

test.each([404, 400])('a list ends at a page with the HTTP status %d', async (statusCode) => {
  const customers = Array.from({ length: 50 }, (_, row) => ({ customer_id: `C${row}`, customer_firm_name: 'A' }));
  const context = contextOf(({ qs = {} }) =>
    qs.page === 0
      ? { statusCode: 200, body: { code: 0, message: 'm', data: customers } }
      : { statusCode, body: { code: 7, message: 'No such page' } },
  );
  const first = await search(context, 'searchCustomers');
  expect(first).toMatchObject({ results: { length: 50 }, paginationToken: '1' });
  expect(await search(context, 'searchCustomers', undefined, '1')).toEqual({ results: [] });
  const refusesAll = contextOf(() => ({ statusCode, body: { code: 7, message: 'No such page' } }));
  await expect(search(refusesAll, 'searchCustomers')).rejects.toThrow();
});
