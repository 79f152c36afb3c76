import { createHash } from 'node:crypto';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { benchOf, sandboxForFile, toErrors } from '../bench';
import type { RunInput, RunOutput } from '../harness';

const sandbox = sandboxForFile();
const { run } = benchOf(sandbox);

let disputes: string[] = [];
beforeEach(async () => {
  disputes = [];
  for (const reason_code of ['13.1', '13.3', '10.4']) {
    const created = { resource: 'dispute', operation: 'createTestData', additionalFields: { reason_code } };
    const { items } = await run(created);
    disputes.push(asText(items[0]?.json.rec_id));
  }
});

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
  rec_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
  file: 'data',
  dispute_response: { message: 'Delivered – signed', tran_date: '2026-03-31' },
};
const respond = async (files: NonNullable<RunInput['files']>, more: Partial<RunInput> = {}) =>
  await run(
    parameters,
    files.map((_, row) => ({ id: disputes[row] })),
    { files, ...more },
  );
const forms = () =>
  sandbox.control.journal({ operationId: 'submitDisputesResponse' }).map(({ method, path, body }) => {
    const row = disputes.indexOf(/\d+/.exec(path)?.[0] ?? '');
    return { method, row, parts: body as IDataObject };
  });
const rows = () => forms().map(({ row }) => row);
const storedInputs = ({ run: { data } }: RunOutput) => data.executionData?.nodeExecutionStack[0]?.data.main?.[0] ?? [];

test('sends a file once together with the other fields', async () => {
  const { items, error } = await respond([pdf()]);
  expect(error).toBeUndefined();
  expect(items).toHaveLength(1);
  expect(items[0]?.json).toMatchObject({ rec_id: disputes[0], responded: true });
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  expect(forms()).toMatchObject([
    {
      method: 'POST',
      row: 0,
      parts: {
        file: { fileName: 'delivery "note".pdf', mimeType: 'application/pdf', bytes: CONTENT.length, sha256 },
        disputeResponse: '{"message":"Delivered – signed","tran_date":"2026-03-31T00:00:00.000Z"}',
      },
    },
  ]);
});

test('never responds to a dispute twice', async () => {
  await respond([pdf()]);
  const { error } = await respond([pdf('%PDF-1.7 other')]);
  expect(error?.message).toContain('The dispute is already under review, so nothing was sent');
  expect(rows()).toEqual([0]);
});

test.each([
  ['cbr_ce_type', 'CE04', ['Download Description', 'Download Time']],
  ['cbr_ce_type', 'CE09', ['Transaction Date', 'Purchase Amount']],
  ['cbr_id_type', 'IDRC3', ['Cancellation Date']],
  ['cbr_id_type', 'IDRC25', ['Reason']],
])('refuses evidence of the type %s %s without its fields', async (field, code, labels) => {
  const { error } = await respond([pdf()], {
    parameters: { ...parameters, dispute_response: { [field]: code } },
  });
  for (const label of labels) expect(`${error?.message} ${error?.description ?? ''}`).toContain(label);
  expect(rows()).toEqual([]);
});

test.each([
  'Application/PDF',
  'application/pdf; charset=binary',
  'application/pdf;version=1.7',
  ' application/PDF ;x="\n"',
])('accepts a PDF of the type %j and sends the plain type', async (mimeType) => {
  const { error, items } = await respond([pdf(CONTENT, { mimeType })]);
  expect([error?.message, items[0]?.json.responded]).toEqual([undefined, true]);
  expect(forms()).toMatchObject([{ parts: { file: { mimeType: 'application/pdf' } } }]);
});

describe('files that are refused before anything is sent', () => {
  const tooLarge = '%PDF-'.repeat(2).slice(0, 5) + 'x'.repeat(10 * 1024 * 1024 + 1);
  test.each([
    ['has no file', undefined, '"data"', 'must be the name of an input field with the PDF, e.g. from a form'],
    ['has a file of another name', { other: pdf().data }, '"data"', 'must be the name of an input field with the PDF'],
    [
      'has a file of a wrong type',
      pdf('x', { mimeType: 'image/png' }),
      'a file of the type image/png',
      'must be a PDF file',
    ],
    [
      'has a file whose type only resembles that of a PDF',
      pdf(CONTENT, { mimeType: 'text/html; application/pdf' }),
      'a file of the type text/html; application/pdf',
      'must be a PDF file',
    ],
    [
      'has a file with half a character in its name',
      pdf(CONTENT, { fileName: 'A\ud83c.pdf' }),
      '"data"',
      'must not contain half a character',
    ],
    ['has a file that only claims to be a PDF', pdf('<html>'), 'a file whose content is not PDF', 'must be a PDF file'],
    ['has an empty file', pdf(''), 'an empty file', 'must not be an empty file'],
    ['has a file that is too large', pdf(tooLarge), '10485766 bytes', 'must be a file of at most 10 MB'],
    [
      'has a file that n8n lost',
      pdf('', { id: 'filesystem-v2:gone' }),
      'a file that n8n no longer stores',
      'must be a readable file',
    ],
  ])('refuses an item that %s', async (_, file, found, allowed) => {
    const files = [pdf(), file as { data: IBinaryData }, pdf()];
    const stopped = await respond(files);
    expect(stopped.error?.message).toMatch(/^Row 2 of 3[^:]*: "Evidence File" /);
    expect(stopped.error?.message).toContain(allowed);
    expect(stopped.error?.message).toContain(`(found ${found})`);
    expect(rows()).toEqual([]);

    const { errors, items } = await respond(files, toErrors);
    expect([items.length, errors.length]).toEqual([2, 1]);
    expect(rows().sort()).toEqual([0, 2]);
  });
});

test('refuses several files in one item', async () => {
  const { error } = await respond([{ ...pdf(), other: pdf().data }], {
    parameters: { ...parameters, file: 'data, other' },
  });
  expect(error?.message).toContain('must name a single PDF file. Combine several files into one (found several files)');
  expect(rows()).toEqual([]);
});

describe('a retry of a run with files', () => {
  /** The first request succeeds, and the response to the second request is lost. */
  const halfDone = async () => {
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'submitDisputesResponse', calls: [2] });
    const failed = await respond([pdf(), pdf('%PDF-another')], {
      parameters: { ...parameters, options: { sending: { maxParallelRequests: 1 } } },
    });
    expect(failed.error?.message).toMatch(/^Row 2 of 2/);
    expect(rows()).toHaveLength(2);
    return failed;
  };
  const retry = async (failed: RunOutput, options: IDataObject = {}) =>
    await respond([pdf(), pdf('%PDF-another')], {
      retryOf: failed.run,
      parameters: {
        ...parameters,
        options: { sending: { maxParallelRequests: 1 }, ...options },
      } as RunInput['parameters'],
    });

  test('sends neither completed files nor files with an unknown outcome again', async () => {
    const again = await retry(await halfDone());
    expect(again.error?.message).toMatch(/^Row 2 of 2[^:]*: An earlier attempt sent this item with an unknown outcome/);
    expect(rows()).toHaveLength(2);
  });

  test('sends a file again if the user allows it', async () => {
    const { items } = await retry(await halfDone(), { unknownOutcome: 'resend' });
    expect(items).toHaveLength(2);
    expect(rows().slice(2)).toEqual([1]);
    expect(forms()[2]?.parts).toEqual(forms()[1]?.parts);
  });

  test('treats an item whose file changed as an edited item', async () => {
    const failed = await halfDone();
    Object.assign(storedInputs(failed)[0] ?? {}, { binary: pdf('%PDF-edited') });
    const { error } = await retry(failed, { unknownOutcome: 'resend' });
    expect(error?.message).toMatch(/^Row 1 of 2.*Evidence/);
    expect(rows().filter((row) => row === 0)).toHaveLength(1);
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
