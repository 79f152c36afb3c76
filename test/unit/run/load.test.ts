import type { IExecuteFunctions, INode } from 'n8n-workflow';

let mockCode: () => object = () => ({});
jest.mock('../../../nodes/PaymentPlatform/runtime', () => mockCode());

const contextOf = ({ onError, type = 'paymentPlatform' }: Partial<Pick<INode, 'onError' | 'type'>> = {}) =>
  ({
    getNode: () => ({ name: 'Payment Platform', type, onError }),
    continueOnFail: () => onError !== undefined,
    getInputData: () => [{ json: { a: 1 } }, { json: { a: 2 } }],
  }) as unknown as IExecuteFunctions;

async function executed(code: () => object, context: IExecuteFunctions) {
  mockCode = code;
  jest.resetModules();
  const { execute } = await import('../../../nodes/PaymentPlatform/load');
  return await execute.call(context);
}

const isMissing = () => {
  throw new Error('ENOENT');
};
const fails = () => ({
  declared: [],
  run: async () => await Promise.reject(new Error('a mistake of the node')),
});

const NOT_LOADED = {
  outcome: 'notSent',
  message: 'n8n could not load the code of this node',
  description: expect.stringMatching(/^Nothing was sent\. .*ENOENT/) as string,
};
const FAILED = { outcome: 'unknown', message: 'An internal error occurred in the node, so the outcome is unknown' };

test.each<[string, () => object, object]>([
  ["when the code can't be loaded", isMissing, NOT_LOADED],
  ['when the node makes a mistake', fails, FAILED],
])('with On Error set to Continue, an error fails every item %s', async (_, code, error) => {
  const failed = expect.objectContaining(error) as object;
  expect(await executed(code, contextOf({ onError: 'continueErrorOutput' }))).toEqual([
    [
      { json: { error: failed }, pairedItem: { item: 0 } },
      { json: { error: failed }, pairedItem: { item: 1 } },
    ],
  ]);
  const [[first] = []] = (await executed(code, contextOf({ onError: 'continueRegularOutput' }))) ?? [];
  expect(first?.json).toEqual({ what_happened: (error as typeof FAILED).message, error: failed });
});

test.each([
  [
    "when the code can't be loaded",
    isMissing,
    /could not load the code of this node\. Nothing was sent\..* Do not call again/,
  ],
  ['when the node makes a mistake', fails, /outcome is unknown\. .* Do not call again/],
])('tells the model why its call failed %s', async (_, code, result) => {
  const [items] = (await executed(code, contextOf({ type: 'paymentPlatformTool' }))) ?? [];
  expect(items?.[0]?.json.result).toMatch(result);
});

test('throws the error with On Error set to Stop', async () => {
  const thrown: unknown = await executed(isMissing, contextOf()).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ message: 'n8n could not load the code of this node' });
});
