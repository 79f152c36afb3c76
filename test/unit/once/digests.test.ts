import { createHmac } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FileToSend } from '../../../nodes/PaymentPlatform/fields/kinds/file';
import { Digests, Origins } from '../../../nodes/PaymentPlatform/once/write-keys';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { account } from '../requests';

const of = (changes: Partial<Account> = {}, parameters: IDataObject = {}) =>
  new Digests({ ...account, ...changes }, parameters as ConstructorParameters<typeof Digests>[1]);
const request = (changes: object = {}) =>
  ({
    operation: { request: { encoding: 'multipart' } },
    method: 'POST',
    path: '/platform/invoice/1',
    values: { path: { invoice_id: '1' }, query: { page: 1 }, body: { amt_tran: 2 }, node: {} },
    ...changes,
  }) as unknown as PlannedRequest;

test('computes a digest as 96 bits of HMAC-SHA256 over JSON with the secret as the key', () => {
  const whole = createHmac('sha256', 'key').update('["a",1]').digest('base64url');
  expect(of().of(['a', 1])).toBe(whole.slice(0, 16));
  expect(of({ digestKey: 'other' }).of(['a', 1])).not.toBe(of().of(['a', 1]));
});

test('makes a code from the first five characters of a digest, with 0 instead of punctuation', () => {
  const digests = Array.from({ length: 200 }, (_, content) => of().of(content).slice(0, 5));
  expect(digests.some((digest) => /[-_].*[-_]/.test(digest))).toBe(true);
  for (const [content, digest] of digests.entries()) expect(of().code(content)).toBe(digest.replaceAll(/[-_]/g, '0'));
});

describe('the digest of a request with a reference that the node generated', () => {
  const charge = (reference: string, more: object = {}) =>
    request({
      values: {
        path: {},
        query: {},
        body: { amt_tran: 2, merch_ref_num: reference, ...more },
        node: {},
        reference: { name: 'merch_ref_num', value: reference, isLasting: true },
      },
    });

  test('the digest does not depend on a generated reference', () => {
    expect(of().request(charge('REF1'))).toBe(of().request(charge('REF2')));
  });

  test('the digest depends on every value except a generated reference', () => {
    expect(of().request(charge('REF1', { amt_tran: 3 }))).not.toBe(of().request(charge('REF1')));
  });

  test("the payment's digest is computed again if the request gets or changes its reference", () => {
    const digests = of();
    const operation = { fields: [], request: {} } as unknown as PlannedRequest['operation'];
    const one = { ...charge('REF1'), operation };
    const { reference } = one.values;
    delete one.values.reference;
    delete one.values.body.merch_ref_num;
    const before = digests.payment(one);
    Object.assign(one.values, { reference });
    one.values.body.merch_ref_num = 'REF1';
    const first = digests.payment(one);
    expect(first).not.toBe(before);
    expect([digests.payment(one), of().payment(one)]).toEqual([first, first]);
    Object.assign(one.values, charge('REF2').values);
    expect(digests.payment(one)).toBe(of().payment({ ...charge('REF2'), operation }));
  });

  test('the digest depends on a reference that a person entered', () => {
    const { values } = charge('OWN1');
    delete values.reference;
    const other = { ...values, body: { ...values.body, merch_ref_num: 'OWN2' } };
    expect(of().request(request({ values }))).not.toBe(of().request(request({ values: other })));
  });
});

test.each([
  'HTTPS://PAY.EXAMPLE.COM/v1',
  'https://pay.example.com:443/v1',
  'https://pay.example.com/v1/',
  'https://pay.example.com/v1//',
])('an account has the same digest for the address %s', (baseUrl) => {
  expect(of({ baseUrl }).account).toBe(of().account);
});

test.each([
  { baseUrl: 'https://pay.example.org/v1' },
  { baseUrl: 'https://pay.example.com/v2' },
  { baseUrl: 'https://pay.example.com/v1/a' },
  { baseUrl: 'https://pay.example.com//v1' },
  { baseUrl: 'https://pay.example.com:444/v1' },
  { baseUrl: 'pay.example.com' },
  { merchantId: '2' },
  { environment: 'production' as const },
  { digestKey: 'other' },
])('the digest of an account differs for %j', (changes) => {
  expect(of(changes).account).not.toBe(of().account);
});

test('the digest of an account uses an invalid address as written', () => {
  expect(of({ baseUrl: 'somewhere' }).account).toBe(of().of(['account', 'somewhere', '1', 'test']));
  expect(of({ baseUrl: 'somewhere/' }).account).not.toBe(of({ baseUrl: 'somewhere' }).account);
});

test('the digest of an account differs from other digests of the same parts', () => {
  expect(of().account).toBe(of().of(['account', account.baseUrl, '1', 'test']));
});

test.each([
  { method: 'PUT' },
  { path: '/platform/invoice/2' },
  { values: { ...request().values, query: { page: 2 } } },
  { values: { ...request().values, body: { amt_tran: 3 } } },
  { values: { ...request().values, query: { amt_tran: 2 }, body: { page: 1 } } },
])('the digest of a request differs for %j', (changes) => {
  expect(of().request(request(changes))).not.toBe(of().request(request()));
});

test('the digest of a request ignores settings of the node and uses the path as sent', () => {
  const same = request({ values: { ...request().values, path: {}, node: { returnAll: true } } });
  expect(of().request(same)).toBe(of().request(request()));
});

describe("the digest of a request's parameters and input", () => {
  const origin = (parameters: IDataObject, inputs: Array<IDataObject | undefined> = [{ a: 1 }]) =>
    of({}, parameters).origin(inputs);

  test("the digest of a request's parameters and input is equal for equal parameters and input items", () => {
    expect(origin({ amount: '={{ $now }}' })).toBe(origin({ amount: '={{ $now }}' }));
  });

  test("the digest of a request's parameters and input differs for another parameter or input item", () => {
    expect(origin({ amount: 2 })).not.toBe(origin({ amount: 1 }));
    expect(origin({}, [{ a: 2 }])).not.toBe(origin({}));
    expect(origin({}, [{ a: 1 }, { a: 1 }])).not.toBe(origin({}));
    expect(origin({}, [undefined])).not.toBe(origin({}));
  });

  test.each(['options', 'simplify', 'output', 'outputFields', 'returnAll', 'limit'])(
    "the digest of a request's parameters and input ignores the parameter %s",
    (name) => {
      expect(origin({ amount: 1, [name]: 1 })).toBe(origin({ amount: 1, [name]: 2 }));
      expect(origin({ amount: 1, [name]: 1 })).toBe(origin({ amount: 1 }));
    },
  );

  test("the digest of a request's parameters and input differs from the digests of a request and an account", () => {
    expect(origin({})).toBe(of().of([of().of(['parameters', {}]), [{ a: 1 }]]));
  });
});

test('contains a short digest of the name and value of each field', () => {
  const fields = of().fields(request());
  expect(fields.map(([name]) => name)).toEqual(['page', 'amt_tran', 'invoice_id']);
  expect(fields[1]).toEqual(['amt_tran', of().of(['amt_tran', 2]).slice(0, 3)]);
  const other = of().fields(request({ values: { ...request().values, body: { amt_tran: 3, note: 2 } } }));
  const digests = new Map(other);
  expect(digests.get('page')).toBe(new Map(fields).get('page'));
  expect(digests.get('amt_tran')).not.toBe(new Map(fields).get('amt_tran'));
  expect(digests.get('note')).not.toBe(new Map(fields).get('amt_tran'));
});

describe('the origin of a request', () => {
  const input = [{ a: 1 }, { a: 2 }];
  const origins = () =>
    new Origins({ getInputData: () => input.map((json) => ({ json })) } as unknown as IExecuteFunctions, of());
  const from = (items: number[], changes: object = {}) => request({ items, ...changes });
  const file = (sha256: string) => new FileToSend('data', { fileName: 'a', mimeType: 'text/plain', bytes: 1, sha256 });
  const sending = (sha256: string) => from([0], { values: { ...request().values, body: { file: file(sha256) } } });

  test('the origins of a run with an account are computed once', () => {
    const context = { getNode: () => ({ parameters: {} }) } as unknown as IExecuteFunctions;
    const known = Origins.ofRun(context, account);
    expect(Origins.ofRun(context, account)).toBe(known);
    expect(Origins.ofRun(context, { ...account })).not.toBe(known);
  });

  test('the origin of a request contains the input of each of its items', () => {
    const own = origins();
    expect(own.of(from([0, 1]))).toBe(of().origin(input));
    expect(own.of(from([0]))).toBe(of().origin([{ a: 1 }]));
    expect(own.of(from([1, 0]))).toBe(of().origin([{ a: 2 }, { a: 1 }]));
    expect(own.of(from([0]))).toBe(of().origin([{ a: 1 }]));
    expect(own.of(from([0, 1]))).toBe(of().origin(input));
  });

  test('the origin of a request without files is that of its item, which an edit can make unplannable', () => {
    const json = from([0], { operation: { request: {} } });
    expect(origins().of(json)).toBe(origins().ofItem(0));
  });

  test('the origin of a request without input is that of a missing item', () => {
    expect(origins().of(from([7]))).toBe(of().origin([undefined]));
    expect(origins().ofItem(7)).toBe(of().origin([undefined]));
  });

  test('the origin of a request differs for another file', () => {
    expect(origins().of(sending('1'))).not.toBe(origins().of(sending('2')));
    expect(origins().of(sending('1'))).toBe(origins().of(sending('1')));
  });

  test('the origin of a request is equal for all requests of its item, even those without the file', () => {
    const own = origins();
    const first = own.of(sending('1'));
    expect(own.of(from([0]))).toBe(first);
    expect(own.ofItem(0)).toBe(first);
    expect(own.ofItem(1)).toBe(of().origin([{ a: 2 }]));
  });

  test("a step's request has the origin of the item's request", () => {
    const asked = sending('1');
    expect(origins().of(from([1], { decided: { asked } }))).toBe(origins().of(asked));
  });
});
