import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { sendHttpRequest, sendOnce, type HttpRequest } from '../../../nodes/PaymentPlatform/service/send';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import { requestOf, runOf } from '../fake-run';

/** Account number that is shorter than the numbers that the node masks in every text. */
const ACCOUNT_NUMBER = '654321';
const account: Account = {
  environment: 'test',
  baseUrl: 'https://pay.example.com/v1',
  merchantId: '7',
  digestKey: '',
  secrets: ['key-of-the-account'],
  credential: { authentication: 'apiKey', apiKey: 'key-of-the-account' },
};
const refund: HttpRequest = {
  method: 'POST',
  path: '/pg/refund',
  family: 'gateway',
  effect: 'writesOnce',
  query: { page: 1 },
  body: { amt_tran: 5 },
  timeoutMs: 1234,
};

interface Sent {
  type: string;
  options: IHttpRequestOptions;
  credential: unknown;
}

async function send(request: Partial<HttpRequest>, response: unknown, owner = account) {
  const sent: Sent[] = [];
  const httpRequestWithAuthentication = async (type: string, options: IHttpRequestOptions, credential: unknown) => {
    sent.push({ type, options, credential });
    return await Promise.resolve(typeof response === 'function' ? (response as () => unknown)() : response);
  };
  const context = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
  const answer = await sendHttpRequest(context, owner, { ...refund, ...request });
  const [{ type, options, credential }] = sent as [Sent];
  return { answer, count: sent.length, type, options, credential };
}

const reply = (body: unknown, statusCode = 200, headers: unknown = {}) => ({ statusCode, headers, body });
const APPROVED = '{"rcode":"000","pg_id":"1"}';

test('sends the request once to the account, with the credential that was read with it', async () => {
  const { answer, count, type, options, credential } = await send({}, reply(APPROVED));
  expect(answer).toEqual({ ok: true, record: { rcode: '000', pg_id: '1' } });
  expect(count).toBe(1);
  expect(type).toBe('paymentPlatformApi');
  expect(options).toEqual({
    method: 'POST',
    url: 'https://pay.example.com/v1/pg/refund',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    qs: { page: 1 },
    arrayFormat: 'repeat',
    body: '{"amt_tran":5}',
    encoding: 'text',
    timeout: 1234,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
    sendCredentialsOnCrossOriginRedirect: false,
  });
  const data = account.credential;
  expect(credential).toEqual({
    credentialsDecrypted: { id: '', name: 'paymentPlatformApi', type: 'paymentPlatformApi', data },
  });
});

test('lets n8n read the credential if the account has none', async () => {
  const { credential } = await send({}, reply(APPROVED), { ...account, credential: undefined });
  expect(credential).toBeUndefined();
});

test('sends neither a body nor its type if the request has no body', async () => {
  const { options } = await send({ method: 'GET', effect: undefined, body: undefined }, reply('[]'));
  expect(options.headers).toEqual({ accept: 'application/json' });
  expect('body' in options).toBe(false);
});

test.each([
  ['GET', undefined],
  ['DELETE', undefined],
  ['POST', '{"memo":"x"}'],
  ['PUT', '{"memo":"x"}'],
])("an item's %s request has the body %j, and its response sets the pace", async (method, body) => {
  const { shared, asked } = runOf();
  const speedUp = jest.spyOn(shared.gate, 'speedUp');
  expect(await sendOnce(shared, requestOf({ method }))).toMatchObject({ ok: true });
  expect(asked).toEqual([{ method, path: '/platform/invoice', query: {}, body }]);
  expect(speedUp).toHaveBeenCalledTimes(1);
});

test('leaves the type of a form to the HTTP client, which adds the boundary', async () => {
  const { options } = await send({ contents: new Map() }, reply(APPROVED));
  expect(options.headers).toEqual({ accept: 'application/json' });
  expect(options.body).toBeInstanceOf(FormData);
  expect([...(options.body as FormData).entries()]).toEqual([['amt_tran', '5']]);
});

test.each([
  ['a parsed body', reply({ rcode: '000', pg_id: '1' })],
  ['a text', reply(APPROVED)],
  ['no headers', { statusCode: 200, headers: null, body: APPROVED }],
])('reads a response with %s', async (_, response) => {
  expect((await send({}, response)).answer).toEqual({ ok: true, record: { rcode: '000', pg_id: '1' } });
});

test('reads the pause that the service asks for from the headers', async () => {
  const { answer } = await send({}, reply('', 429, { 'retry-after': '3' }));
  expect(answer).toMatchObject({ ok: false, failure: { httpStatus: 429, retryAfterMs: 3000 } });
});

test.each([
  ['nothing', undefined],
  ['a text instead of a response', 'hello'],
  ['a response without a body', { statusCode: 200, headers: {} }],
])('treats the outcome as unknown if n8n returns %s', async (_, response) => {
  expect((await send({}, response)).answer).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
});

test('returns a connection error as a failure', async () => {
  const refused = () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
  };
  expect((await send({}, refused)).answer).toMatchObject({ ok: false, failure: { outcome: 'notSent' } });
});

describe('the time limit of a response', () => {
  interface Sending {
    getExecutionCancelSignal: () => AbortSignal;
    getNode?: () => string;
  }
  const seconds = 60_000;

  /** Sends a request to a service that never responds. Returns the response and the context of n8n's helper. */
  function hang(context: object, timeoutMs: number) {
    const sending: Sending[] = [];
    async function httpRequestWithAuthentication(this: Sending) {
      sending.push(this);
      return await new Promise<never>(() => undefined);
    }
    const helpers = { helpers: { httpRequestWithAuthentication } };
    const whole = Object.assign(context, helpers) as unknown as IExecuteFunctions;
    return { answer: sendHttpRequest(whole, account, { ...refund, timeoutMs }), sending };
  }

  test.each([
    ['an execution', { getExecutionCancelSignal: () => undefined }],
    ['an activation', {}],
  ])('ends the request of %s with an unknown outcome, and stops the HTTP client', async (_, context) => {
    const { answer, sending } = hang({ ...context, getNode: () => 'node' }, 20);
    expect(sending[0]?.getNode?.()).toBe('node');
    expect('getExecutionCancelSignal' in (sending[0] ?? {})).toBe(true);
    expect('getWorkflow' in (sending[0] ?? {})).toBe(false);
    const signal = sending[0]?.getExecutionCancelSignal();
    expect(signal?.aborted).toBe(false);
    expect(await answer).toEqual({
      ok: false,
      failure: { outcome: 'unknown', message: 'The response was not complete before the timeout', advice: '' },
    });
    expect(signal?.aborted).toBe(true);
  });

  test('stops the HTTP client if the execution is canceled', () => {
    const execution = new AbortController();
    const context = { getExecutionCancelSignal: () => execution.signal };
    const [before] = hang(context, seconds).sending;
    expect(before?.getExecutionCancelSignal().aborted).toBe(false);
    execution.abort();
    expect(before?.getExecutionCancelSignal().aborted).toBe(true);
    const [after] = hang(context, seconds).sending;
    expect(after?.getExecutionCancelSignal().aborted).toBe(true);
  });

  test('listens to no signal after a response', async () => {
    const execution = new AbortController();
    const timeout = new AbortController();
    const spies = [execution, timeout].map(({ signal }) => ({
      added: jest.spyOn(signal, 'addEventListener'),
      removed: jest.spyOn(signal, 'removeEventListener'),
    }));
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
    const httpRequestWithAuthentication = async () => await Promise.resolve(reply(APPROVED));
    const context = { getExecutionCancelSignal: () => execution.signal, helpers: { httpRequestWithAuthentication } };
    await sendHttpRequest(context as unknown as IExecuteFunctions, account, refund);
    for (const { added, removed } of spies) expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});

test('names the secret of the credential in a failure that mentions it', async () => {
  const { answer } = await send({}, reply('', 302));
  expect(JSON.stringify(answer)).toContain('API Key');
  expect(JSON.stringify(answer)).not.toContain('API Key or API Token');
});

test('names both secrets if the authentication method is unknown', async () => {
  const { answer } = await send({}, reply('', 302), { ...account, credential: undefined });
  expect(JSON.stringify(answer)).toContain('API Key or API Token');
});

test.each([
  ['the body', { body: { account_number: ACCOUNT_NUMBER } }],
  ['the query', { query: { account_number: ACCOUNT_NUMBER } }],
  ['the account', {}],
])("removes the secrets of %s from the service's texts", async (_, request) => {
  const echo = `{"rcode":"051","rmsg":"refused ${ACCOUNT_NUMBER} key-of-the-account"}`;
  const { answer } = await send(request, reply(echo));
  expect(JSON.stringify(answer)).toContain('refused');
  expect(JSON.stringify(answer)).not.toContain('key-of-the-account');
  if (Object.keys(request).length > 0) expect(JSON.stringify(answer)).not.toContain(ACCOUNT_NUMBER);
});

test('needs no list of secrets in the account', async () => {
  const { answer } = await send({}, reply('{"rcode":"051"}'), { ...account, secrets: undefined });
  expect(answer).toMatchObject({ ok: false, failure: { outcome: 'declined' } });
});

describe('the issuer code 085, which approves a card check', () => {
  const approval = reply('{"rcode":"085","token":"t"}');
  const isApproved = async (path: string, body?: IDataObject, approvals?: string[]) =>
    (await send({ path, body, approvals }, approval)).answer.ok;

  test.each(['/pg/tokenize', '/pg/verify'])('approves %s without an amount', async (path) => {
    expect(await isApproved(path, { card: { exp_date: '1230' }, notes: ['a'] })).toBe(true);
    expect(await isApproved(path)).toBe(true);
  });

  test.each([
    ['an amount', { amt_tran: 5 }],
    ['an amount and other fields', { note: 'a', amt_tran: 5 }],
    ['an amount in an object', { card: { amt_tran: 5 } }],
    ['an amount in a list', { lines: [{ note: 'a' }, { amt_tran: 5 }] }],
  ])('refuses a card check with %s', async (_, body) => {
    expect(await isApproved('/pg/verify', body)).toBe(false);
  });

  test.each(['/pg/refund', '/pg/verify/1', '/other/pg/verify', '/pg/tokenized'])('refuses %s', async (path) => {
    expect(await isApproved(path, {})).toBe(false);
  });

  test('approves another request only if its operation declares the code', async () => {
    expect(await isApproved('/pg/sale', {}, ['085'])).toBe(true);
    expect(await isApproved('/pg/sale', {}, ['002'])).toBe(false);
  });
});

describe('a response without a code on a path where records can have a "code" field', () => {
  const record = reply('{"code":5,"pg_id":"1"}');
  const outcome = async (request: Partial<HttpRequest>) => {
    const { answer } = await send({ family: 'any', ...request }, record);
    return answer.ok ? 'done' : answer.failure.outcome;
  };

  test.each([
    ['is a record if the request declares that it reads', { effect: 'reads' }, 'done'],
    ['is a record if a GET declares nothing', { method: 'GET', effect: undefined }, 'done'],
    ['leaves the outcome unknown if another method declares nothing', { effect: undefined }, 'unknown'],
    ['leaves the outcome unknown if a GET declares that it writes', { method: 'GET', effect: 'writesOnce' }, 'unknown'],
  ] as const)('%s', async (_, request, expected) => {
    expect(await outcome(request)).toBe(expected);
  });
});
