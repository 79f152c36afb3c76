import type { IBinaryData, IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { nodeProperties } from '../../../nodes/PaymentPlatform/panel/node-properties';
import { run as runPipeline } from '../../../nodes/PaymentPlatform/run/run';
import type { Resource } from '../../../nodes/PaymentPlatform/model/types';
import { disputeResponse } from '../../unit/fields/coming/others';
import { startFormService } from './form-service';
import { addNodeType, runWorkflow, type RunInput, type RunOutput } from '../harness';

const resources: Resource[] = [
  {
    value: 'dispute',
    name: 'Dispute',
    description: 'Disputes',
    preselected: disputeResponse.value,
    operations: [disputeResponse],
  },
];

/** The node with a planned operation. */
class Coming extends PaymentPlatform implements INodeType {
  override description = {
    ...new PaymentPlatform().description,
    name: 'comingPlatform',
    properties: nodeProperties(resources),
  };

  override async execute(this: IExecuteFunctions) {
    return await runPipeline(this, resources);
  }
}
addNodeType('comingPlatform', new Coming());

let service: Awaited<ReturnType<typeof startFormService>>;
beforeEach(async () => {
  service = await startFormService();
});
afterEach(async () => await service.stop());

const CONTENT = '%PDF-1.7 canary-of-the-evidence \r\n--not a boundary';
const pdf = (content = CONTENT, more: Partial<IBinaryData> = {}): { data: IBinaryData } => ({
  data: {
    data: Buffer.from(content).toString('base64'),
    mimeType: 'application/pdf',
    fileName: 'delivery "note".pdf',
    ...more,
  },
});
const parameters = {
  resource: 'dispute',
  operation: 'respond',
  recId: '={{ $json.id }}',
  file: 'data',
  disputeResponse: { item: { message: 'Delivered – signed', tran_date: '2026-03-31' } },
};
const run = async (files: RunInput['files'], more: Partial<RunInput> = {}): Promise<RunOutput> =>
  await runWorkflow({
    rows: (files ?? []).map((_, row) => ({ id: `d${row}` })),
    files,
    parameters,
    type: 'comingPlatform',
    credential: {
      environment: 'test',
      baseUrl: service.baseUrl,
      merchantId: '1',
      authMethod: 'apiKey',
      apiKey: 'secret-key',
    },
    ...more,
  });
const paths = () => service.forms.map(({ url }) => url);
const storedInputs = ({ run: { data } }: RunOutput) => data.executionData?.nodeExecutionStack[0]?.data.main?.[0] ?? [];

test('sends a file once together with the other fields', async () => {
  const { items, error } = await run([pdf()]);
  expect(error).toBeUndefined();
  expect(items).toHaveLength(1);
  expect(service.forms).toEqual([
    {
      method: 'POST',
      url: '/platform/dispute/d0/respond',
      parts: [
        ['file', { fileName: 'delivery "note".pdf', mimeType: 'application/pdf', content: CONTENT }],
        ['disputeResponse', '{"message":"Delivered – signed","tran_date":"2026-03-31T00:00:00.000Z"}'],
      ],
    },
  ]);
});

describe('files that are refused before anything is sent', () => {
  const tooLarge = 'x'.repeat(10 * 1024 * 1024 + 1);
  test.each([
    ['has no file', undefined, '"data"', 'must be the name of a binary property that contains a file'],
    ['has a file of another name', { other: pdf().data }, '"data"', 'must be the name of a binary property'],
    [
      'has a file of a wrong type',
      pdf('x', { mimeType: 'image/png' }),
      'a file of the type image/png',
      'must be a PDF file',
    ],
    ['has an empty file', pdf(''), 'an empty file', 'must not be an empty file'],
    ['has a file that is too large', pdf(tooLarge), '10485761 bytes', 'must be a file of at most 10 MB'],
    [
      'has a file that n8n lost',
      pdf('', { id: 'filesystem-v2:gone' }),
      'a file that n8n no longer stores',
      'must be a readable file',
    ],
  ])('refuses an item that %s', async (_, file, found, allowed) => {
    const files = [pdf(), file as { data: IBinaryData }, pdf()];
    const stopped = await run(files);
    expect(stopped.error?.message).toMatch(/^Row 2 of 3[^:]*: "Evidence" /);
    expect(stopped.error?.message).toContain(allowed);
    expect(stopped.error?.message).toContain(`(found ${found})`);
    expect(paths()).toEqual([]);

    const { errors, items } = await run(files, { onError: 'continueErrorOutput' });
    expect([items.length, errors.length]).toEqual([2, 1]);
    expect(paths().sort()).toEqual(['/platform/dispute/d0/respond', '/platform/dispute/d2/respond']);
  });
});

describe('a retry of a run with files', () => {
  /** Completes the first of two requests. The response to the second is lost. */
  const halfDone = async () => {
    service.broken['/platform/dispute/d1/respond'] = 1;
    const failed = await run([pdf(), pdf('%PDF another')], {
      parameters: { ...parameters, options: { sending: { maxParallelRequests: 1 } } },
    });
    expect(failed.error?.message).toMatch(/^Row 2 of 2/);
    expect(paths()).toHaveLength(2);
    return failed;
  };
  const retry = async (failed: RunOutput, options: IDataObject = {}) =>
    await run([pdf(), pdf('%PDF another')], {
      retryOf: failed.run,
      parameters: {
        ...parameters,
        options: { sending: { maxParallelRequests: 1 }, ...options },
      } as RunInput['parameters'],
    });

  test('sends neither completed files nor files with an unknown outcome again', async () => {
    const again = await retry(await halfDone());
    expect(again.error?.message).toMatch(
      /^Row 2 of 2[^:]*: An earlier attempt sent this item but received no response/,
    );
    expect(paths()).toHaveLength(2);
  });

  test('sends a file again if the user allows it', async () => {
    const { items } = await retry(await halfDone(), { unknownOutcome: 'resend' });
    expect(items).toHaveLength(2);
    expect(paths().slice(2)).toEqual(['/platform/dispute/d1/respond']);
    expect(service.forms[2]?.parts).toEqual(service.forms[1]?.parts);
  });

  test('treats an item whose file changed as an edited item', async () => {
    const failed = await halfDone();
    Object.assign(storedInputs(failed)[0] ?? {}, { binary: pdf('%PDF edited') });
    const { error } = await retry(failed, { unknownOutcome: 'resend' });
    expect(error?.message).toMatch(/^Row 1 of 2.*Evidence/);
    expect(paths().filter((path) => path.includes('/d0/'))).toHaveLength(1);
  });

  test('stores no content of the file in the memory or the error', async () => {
    const failed = await halfDone();
    const { executionData } = failed.run.data;
    const kept = JSON.stringify([executionData?.contextData, failed.error, failed.error?.context, failed.items]);
    expect(kept).toContain('paymentPlatformWrites');
    for (const canary of [
      'canary-of-the-evidence',
      Buffer.from(CONTENT).toString('base64'),
      Buffer.from(CONTENT).toString('hex'),
    ])
      expect(kept).not.toContain(canary);
  });
});
