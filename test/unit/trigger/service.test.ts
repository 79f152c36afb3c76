import type { INode } from 'n8n-workflow';

import { decode } from '../../../nodes/PaymentPlatform/service/decode-response';
import { sendHttpRequest } from '../../../nodes/PaymentPlatform/service/send';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import { ACTIVATE_AGAIN, registrationError, WebhookService } from '../../../nodes/PaymentPlatform/trigger/service';
import { refused, reply, triggerNode, WebhookServiceFake } from './webhook-service';

jest.mock('../../../nodes/PaymentPlatform/service/send', () => {
  const actual = jest.requireActual<{ sendHttpRequest: typeof sendHttpRequest }>(
    '../../../nodes/PaymentPlatform/service/send',
  );
  return { ...actual, sendHttpRequest: jest.fn(actual.sendHttpRequest) };
});

const account: Account = { environment: 'test', baseUrl: 'https://pay.example.com/v1', merchantId: '1', digestKey: '' };
/** Simulates an unavailable service, so that the outcome of the request is unknown. */
const away = () => reply({}, 502);

function client(instead: WebhookServiceFake['instead'] = {}) {
  const fake = new WebhookServiceFake();
  fake.instead = instead;
  fake.webhooks = [{ webhook_id: 1, status: 'ACTIVE' }];
  return { fake, service: new WebhookService(triggerNode(fake).context(), account) };
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.mocked(sendHttpRequest).mockClear();
});
afterEach(() => jest.useRealTimers());

const labels = () =>
  jest.mocked(sendHttpRequest).mock.calls.map(([, , { method, effect }]) => `${method} ${effect ?? 'without a label'}`);

test('classifies a change as safe to repeat and a creation as not', async () => {
  const { service } = client();
  await service.list();
  await service.create({});
  await service.update('1', {});
  await service.enable('1');
  await service.disable('1');
  expect(labels()).toEqual([
    'GET reads',
    'POST writesOnce',
    'PUT repeatsSafely',
    'PUT repeatsSafely',
    'PUT repeatsSafely',
  ]);
});

test.each([
  ['a change of unknown outcome is made again: the webhook is then as it was meant', 'PUT', 4],
  ['a creation of unknown outcome is not: it would make a second webhook', 'POST', 1],
] as const)('repeats a request: %s', async (_, method, times) => {
  const { fake, service } = client({ [method]: away });
  const asked = method === 'PUT' ? service.disable('1') : service.create({});
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await asked).toMatchObject({ ok: false });
  expect(fake.calls).toHaveLength(times);
});

test.each([
  ['too many requests', 429, {}],
  ['a failure of the service', 500, { code: 99, message: 'x' }],
])('advises repeating an activation in a minute after %s', (_, status, body) => {
  const answer = decode('platform', { status, headers: {}, body: JSON.stringify(body) });
  if (answer.ok) throw new Error('It was not refused');
  const { description } = registrationError({} as INode, 'register the webhook', answer.failure);
  expect(description).toBe(`Wait a minute. Then ${ACTIVATE_AGAIN}.`);
});

test("doesn't repeat a request that the service refused", async () => {
  const { fake, service } = client({ PUT: refused });
  expect(await service.disable('1')).toMatchObject({ ok: false });
  expect(fake.calls).toHaveLength(1);
});
