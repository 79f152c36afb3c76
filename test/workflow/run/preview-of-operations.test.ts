import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { describedOperation } from '../../../interface/generate/interface-document';
import { isSecretField, maskRecord } from '../../../nodes/PaymentPlatform/messages/scrubber';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { Random } from '../../simulator/random';
import { runWorkflow } from '../harness';
import { Learner, PDF, type Chosen } from '../panel/person/learner';
import { freshRecords } from '../panel/person/records';
import { startRecorder, type Recorder, type Seen } from '../panel/person/service';

const MOST_FILLINGS = 200;
/** Replaces the node's own reference, because each execution makes another one. */
const NEW_REFERENCE = 'made when the node sends the item';

const writing = resources.flatMap(({ value: resource, operations }) =>
  operations.flatMap((declared): Chosen[] => {
    const { operationId, effect } = declared.request;
    if (operationId === undefined || effect === 'reads') return [];
    return [{ name: `${resource}.${declared.value}`, resource, declared, operationId }];
  }),
);

let sandbox: Sandbox;
let recorder: Recorder;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  recorder = await startRecorder(sandbox.port);
});
afterAll(async () => {
  await recorder.stop();
  await sandbox.stop();
});

/** Returns parameters with which a simulated user gets a record. */
async function fill(chosen: Chosen): Promise<INodeParameters> {
  const learner = new Learner(new Random(1), sandbox, recorder);
  for (let tried = 0; tried < MOST_FILLINGS; tried += 1) {
    await learner.renewRecords(chosen.resource);
    const { filled, records, sent } = await learner.attempt(chosen);
    if (records.length > 0 && sent.some(isWrite)) return filled.parameters;
  }
  throw new Error(`No request of ${chosen.name} succeeded`);
}

async function run(parameters: INodeParameters, options: INodeParameters) {
  const { merchantId, apiKey } = sandbox.credentials.test;
  const { items, error } = await runWorkflow({
    rows: [{}],
    files: [{ data: PDF }],
    parameters: { ...parameters, options },
    credential: { environment: 'test', baseUrl: recorder.baseUrl, merchantId, authMethod: 'apiKey', apiKey },
  });
  return { json: items[0]?.json ?? {}, error, writes: recorder.passed().filter(isWrite) };
}

const isWrite = ({ operationId }: Seen) =>
  !operationId.startsWith('/') && describedOperation(operationId)['x-money'] !== 'reads';

/** Also accepts a list, whose names are its indexes. */
const isRecord = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null;

/** Returns the values in which a preview differs from the request that the service received. */
function differences(preview: unknown, given: unknown, name = ''): string[] {
  const sent = isRecord(given) && 'fileName' in given ? given.fileName : given;
  if (preview === NEW_REFERENCE) return typeof sent === 'string' && /^[A-Z0-9]{20}$/.test(sent) ? [] : [name];
  if (isRecord(sent) && isRecord(preview))
    return [...new Set([...Object.keys(preview), ...Object.keys(sent)])].flatMap((inner) =>
      differences(preview[inner], sent[inner], inner),
    );
  if (String(preview) === String(sent)) return [];
  const masked = maskRecord({ [name]: sent } as IDataObject)[name];
  // Masking removes some secrets.
  const isMasked = asText(preview) === asText(masked) || (isSecretField(name) && /^\*+$/.test(String(preview)));
  return isMasked ? [] : [`${name}: ${String(preview)} instead of ${String(sent)}`];
}

test.each(writing)('$name: a preview sends nothing and shows the request that the node then sends', async (chosen) => {
  const parameters = await fill(chosen);
  recorder.passed();
  await freshRecords(sandbox, chosen.resource);
  const previewed = await run(parameters, { previewOnly: true });
  expect(previewed.error).toBeUndefined();
  expect({ ...previewed.json, writes: previewed.writes }).toMatchObject({ decision: 'send', writes: [] });
  const { writes, error } = await run(parameters, {});
  expect(error).toBeUndefined();
  const [sent] = writes;
  const { path, body, query } = previewed.json.request as { path: string; body?: IDataObject; query?: IDataObject };
  for (const value of Object.values(sent?.path ?? {})) expect(path).toContain(encodeURIComponent(value));
  expect(differences(body, sent?.body)).toEqual([]);
  expect(differences(query ?? {}, sent?.query)).toEqual([]);
});
