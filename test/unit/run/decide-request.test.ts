import type { IDataObject } from 'n8n-workflow';

import { completeBody, refusal } from '../../../nodes/PaymentPlatform/run/decide-request';
import type { SharedRun } from '../../../nodes/PaymentPlatform/run/shared-run';
import { Gate } from '../../../nodes/PaymentPlatform/service/gate';
import type { Account, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { BASE_URL, fakeService, type Asked, type Reply } from '../fake-service';
import { operationOf } from '../requests';

const completion: Operation['completion'] = {
  look: ({ body }) =>
    body.customer_id === undefined
      ? undefined
      : { path: `/platform/vault/customer/${asText(body.customer_id)}`, family: 'platform' },
  add: (found: IDataObject, { body }: { body: IDataObject }) => ({
    email: found.email,
    note: `for ${asText(body.row)}`,
  }),
};
const requestOf = (body: IDataObject, own: Operation['completion'] = completion) =>
  ({
    operation: operationOf({ completion: own }),
    values: { path: {}, query: {}, body, node: {} },
  }) as unknown as PlannedRequest;

function runOf(reply: (asked: Asked) => Reply) {
  const { context, asked } = fakeService(reply);
  const gate = new Gate({ most: 1, longestWaitMs: 60_000 });
  const shared = { context, account: { baseUrl: BASE_URL } as Account, options: { timeoutMs: 1 }, gate };
  return { shared: shared as unknown as SharedRun, asked, gate };
}
const found = ({ path }: Asked): Reply => ({ data: { email: `${path.split('/').at(-1)}@example.com` } });

describe('the fields that an operation adds from the record of a customer', () => {
  test("the customer's fields are added to the body of each row, and the customer is read once in a run", async () => {
    const { shared, asked } = runOf(found);
    for (const row of [1, 2])
      expect(await completeBody(shared, requestOf({ customer_id: 'a', row }))).toEqual({
        body: { customer_id: 'a', row, email: 'a@example.com', note: `for ${row}` },
      });
    expect(await completeBody(shared, requestOf({ customer_id: 'b' }))).toMatchObject({
      body: { email: 'b@example.com' },
    });
    expect(asked.map(({ path }) => path)).toEqual(['/platform/vault/customer/a', '/platform/vault/customer/b']);
  });

  test("the customer's fields are read again in another run, because the record can change", async () => {
    const [first, second] = [runOf(found), runOf(found)];
    for (const { shared } of [first, second]) await completeBody(shared, requestOf({ customer_id: 'a' }));
    expect(second.asked).toHaveLength(1);
  });

  test('no customer is read without a customer ID or for other operations', async () => {
    const { shared, asked } = runOf(found);
    expect(await completeBody(shared, requestOf({ row: 1 }))).toEqual({ body: { row: 1 } });
    const plain = { ...requestOf({ customer_id: 'a' }), operation: operationOf({}) };
    expect(await completeBody(shared, plain)).toEqual({ body: { customer_id: 'a' } });
    expect(asked).toEqual([]);
  });

  test.each<[string, Reply]>([
    ['refuses to return it', { status: 403, data: {} }],
    ['has no such record', { data: [] }],
  ])("the customer's fields are missing if the service %s", async (_, reply) => {
    const { shared } = runOf(() => reply);
    const completed = await completeBody(shared, requestOf({ customer_id: 'a' }));
    expect(completed).toEqual({ body: { customer_id: 'a' }, lacksRecord: true });
  });

  test('nothing is sent if the customer does not exist and the operation needs it', async () => {
    const { shared } = runOf(() => ({ status: 404, data: {} }));
    const absent = refusal('No such customer');
    const needed = requestOf({ customer_id: 'a' }, { ...completion, absent });
    expect(await completeBody(shared, needed)).toEqual({ failure: absent, lacksRecord: true });
    const body = { customer_id: 'a' };
    expect(await completeBody(shared, requestOf(body))).toEqual({ body, lacksRecord: true });
  });

  test('nothing is sent if reading the customer may succeed later', async () => {
    const { shared } = runOf(() => ({ status: 500, data: {} }));
    expect(await completeBody(shared, requestOf({ customer_id: 'a' }))).toEqual({
      failure: expect.objectContaining({
        outcome: 'notSent',
        message: expect.stringMatching(
          /^The node could not read the record of the customer, so nothing was sent: ./,
        ) as string,
      }) as object,
    });
  });

  test('reading the customer slows the run down if the service is busy', async () => {
    const { shared, gate } = runOf(() => ({ status: 429, data: {} }));
    const slowDown = jest.spyOn(gate, 'slowDown');
    await completeBody(shared, requestOf({ customer_id: 'a' }));
    expect(slowDown).toHaveBeenCalledTimes(1);
  });
});

test('a refusal before sending counts as invalid and has no advice', () => {
  expect(refusal('No')).toEqual({ outcome: 'invalid', message: 'No', advice: '' });
});
