import type { IWebhookFunctions } from 'n8n-workflow';

type Answers = typeof import('../../../nodes/PaymentPlatform/trigger/receive');

/** State of a newly started process. */
let acknowledge: Answers['acknowledge'];
let answerOnceStored: Answers['answerOnceStored'];

/** Creates a call as n8n passes it to a webhook, with its response. */
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

test('n8n 2, which answers once the execution is stored, answers by itself', () => {
  expect(callOf(2).answer).toEqual({ webhookResponse: { received: true } });
});

describe('n8n 1, which would answer before it has stored the execution', () => {
  test('does not answer; the execution does, as soon as it begins, and once', async () => {
    const { answers, answer } = callOf(1);
    expect(answer.noWebhookResponse).toBe(true);
    expect(answers).toEqual([]);
    acknowledge(answer.answerId);
    expect(answers).toEqual([[200, { received: true }]]);
    acknowledge(answer.answerId);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(answers).toHaveLength(1);
  });

  test('answers within 2 seconds when another process runs the execution', async () => {
    const { answers } = callOf(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(answers).toEqual([[200, { received: true }]]);
  });

  test('never says that it has taken a call whose execution did not begin, where executions run in this process', async () => {
    acknowledge(callOf(1).answer.answerId);
    const { answers } = callOf(1);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(answers).toEqual([[503, { received: false }]]);
  });

  test('answers nothing twice: n8n may have refused the call', async () => {
    const { answers, response } = callOf(1);
    response.writableEnded = true;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(answers).toEqual([]);
  });
});
