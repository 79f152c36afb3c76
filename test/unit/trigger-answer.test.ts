import type { IExecuteFunctions, IWebhookDescription } from 'n8n-workflow';

type TriggerModule = typeof import('../../nodes/PaymentPlatform/PaymentPlatformTrigger.node');

/** The trigger as it is loaded by an n8n whose n8n-workflow exports what `change` leaves of it. */
function triggerOf(change: (exports: Record<string, unknown>) => void) {
  let trigger: InstanceType<TriggerModule['PaymentPlatformTrigger']> | undefined;
  jest.isolateModules(() => {
    const exports = { ...jest.requireActual<Record<string, unknown>>('n8n-workflow') };
    change(exports);
    jest.doMock('n8n-workflow', () => exports);
    const module = jest.requireActual<TriggerModule>('../../nodes/PaymentPlatform/PaymentPlatformTrigger.node');
    trigger = new module.PaymentPlatformTrigger();
  });
  if (!trigger) throw new Error('The trigger could not be loaded');
  return trigger;
}

async function answersOf(trigger: ReturnType<typeof triggerOf>, delivery: object): Promise<unknown[]> {
  const answers: unknown[] = [];
  const context = {
    getInputData: () => [{ json: { delivery } }],
    getNode: () => ({ name: 'Trigger' }),
    getMode: () => 'manual',
    getNodeParameter: (_name: string, _index: number, fallback: unknown) => fallback,
    sendResponse: async (answer: unknown) => await Promise.resolve(answers.push(answer)),
  };
  await trigger.execute.call(context as unknown as IExecuteFunctions).catch(() => undefined);
  return answers;
}

const modeOf = ({ description }: ReturnType<typeof triggerOf>) =>
  (description.webhooks as IWebhookDescription[])[0]?.responseMode;

test('n8n 2, which answers once the execution is stored, answers by itself', async () => {
  const trigger = triggerOf(() => undefined);
  expect(modeOf(trigger)).toBe('onReceived');
  expect(await answersOf(trigger, { id: 'a', notices: [] })).toEqual([]);
});

describe('n8n 1, which would answer before it has stored the execution', () => {
  const trigger = triggerOf((exports) => delete exports.WEBHOOK_RESOLVERS);

  test('lets the execution answer', async () => {
    expect(modeOf(trigger)).toBe('responseNode');
    expect(await answersOf(trigger, { id: 'a', notices: [] })).toEqual([
      { body: { received: true }, headers: {}, statusCode: 200 },
    ]);
  });

  test('has answered a refused call already when the execution tells its problem', async () => {
    expect(await answersOf(trigger, { problem: 'The key is unknown', notices: [] })).toEqual([]);
  });
});
