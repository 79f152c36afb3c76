import type { IWebhookFunctions } from 'n8n-workflow';

type Answers = typeof import('../../../nodes/PaymentPlatform/trigger/receive');

/** Each test loads a new copy of the module, so that no call is stored at its start. */
let acknowledge: Answers['acknowledge'];
let answerOnceStored: Answers['answerOnceStored'];

function callOf(major: 1 | 2) {
  const answers: unknown[] = [];
  const response = {
    writableEnded: false,
    setHeader: () => undefined,
    status: (status: number) => ({
      json: (body: unknown) => {
        response.writableEnded = true;
        answers.push([status, body]);
      },
    }),
  };
  const context = { getResponseObject: () => response, ...(major === 2 && { getWebhookResourceUrl: () => '' }) };
  return { answers, response, answer: answerOnceStored(context as unknown as IWebhookFunctions) };
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.isolateModules(() => {
    const module = jest.requireActual<Answers>('../../../nodes/PaymentPlatform/trigger/receive');
    ({ acknowledge, answerOnceStored } = module);
  });
});
afterEach(() => jest.useRealTimers());

test('lets n8n 2 respond itself, because it stores the execution first', () => {
  expect(callOf(2).answer).toEqual({ webhookResponse: { received: true } });
});

describe('n8n 1, which would respond before it stored the execution', () => {
  test('lets the execution respond once when it begins', async () => {
    const { answers, answer } = callOf(1);
    expect(answer.noWebhookResponse).toBe(true);
    expect(answers).toEqual([]);
    acknowledge(answer.answerId);
    expect(answers).toEqual([[200, { received: true }]]);
    acknowledge(answer.answerId);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(answers).toHaveLength(1);
  });

  test('responds within 2 seconds if another process runs the execution', async () => {
    const { answers } = callOf(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(answers).toEqual([[200, { received: true }]]);
  });

  test("never accepts a call whose execution didn't begin in this process", async () => {
    acknowledge(callOf(1).answer.answerId);
    const { answers } = callOf(1);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(answers).toEqual([[503, { received: false }]]);
  });

  test('responds only once, because n8n may have refused the call', async () => {
    const { answers, response } = callOf(1);
    response.writableEnded = true;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(answers).toEqual([]);
  });
});
