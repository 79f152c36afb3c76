import { clientFor, benchForFile, type Envelope } from './client';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('Authentication', () => {
  const bench = benchForFile();

  const status = async (authorization?: string, baseUrl = bench.sandbox.baseUrl): Promise<number> =>
    (await clientFor(baseUrl, authorization).get('/platform/vault/customer')).status;

  test('the sandbox accepts the merchant ID with the key, and the key alone as user name or password', async () => {
    const { merchantId, apiKey, token } = bench.sandbox.credentials.test;
    const accepted = [`Basic ${token}`, basic(`${merchantId}:${apiKey}`), basic(`:${apiKey}`), basic(`${apiKey}:`)];
    expect(await Promise.all(accepted.map((header) => status(header)))).toEqual([200, 200, 200, 200]);
  });

  test('the sandbox refuses a missing token, an unsupported scheme, a wrong key and an unknown merchant', async () => {
    const { merchantId, apiKey, token } = bench.sandbox.credentials.test;
    const refused = [undefined, `Bearer ${token}`, basic(`${merchantId}:wrong`), basic(`999999999999:${apiKey}`)];
    expect(await Promise.all(refused.map((header) => status(header)))).toEqual([401, 401, 401, 401]);
  });

  test("the sandbox accepts a token only in the token's own environment", async () => {
    const { test: testing, production } = bench.sandbox.credentials;
    expect(await status(`Basic ${testing.token}`, bench.sandbox.productionBaseUrl)).toBe(401);
    expect(await status(`Basic ${production.token}`, bench.sandbox.productionBaseUrl)).toBe(200);
  });

  test('the sandbox refuses an unauthorized request with rcode 101 for the gateway and code 11 for the platform', async () => {
    const stranger = clientFor(bench.sandbox.baseUrl, basic('a:b'));
    const gateway = await stranger.post<Envelope>('/pg/tokenize', { merchant_id: bench.merchant_id });
    const platform = await stranger.get<Envelope>('/platform/vault/customer');
    expect([gateway.status, gateway.data.rcode]).toEqual([401, '101']);
    expect([platform.status, platform.data.code]).toEqual([401, 11]);
  });

  test('the sandbox accepts a linked merchant and refuses all other merchants', async () => {
    const { linkedMerchantId } = bench.sandbox.credentials.test;
    const list = (merchant_id: string) =>
      bench.http.get<Envelope>('/platform/vault/customer', { params: { merchant_id } });
    expect((await list(linkedMerchantId)).data.code).toBe(0);
    expect(await list('999999999999')).toMatchObject({ status: 403, data: { code: 6 } });
    const tokenized = await bench.http.post<Envelope>('/pg/tokenize', { merchant_id: '999999999999' });
    expect([tokenized.status, tokenized.data.rcode]).toEqual([401, '101']);
  });
});
