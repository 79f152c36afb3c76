import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { describedOperation } from '../../../interface/generate/interface-document';
import { FileToSend } from '../../../nodes/PaymentPlatform/fields/kinds/file';
import { isSecretField, maskRecord } from '../../../nodes/PaymentPlatform/messages/scrubber';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Preview } from '../../../nodes/PaymentPlatform/output/describe-previews';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { exampleRequest } from '../../example-request';
import { Random } from '../../simulator/random';
import { runWorkflow } from '../harness';
import { Learner, operations, PDF } from '../panel/person/learner';
import { freshRecords } from '../panel/person/records';
import { startRecorder, type Recorder, type Seen } from '../panel/person/service';

/** Requests of the latest preview, before the node masks secrets. */
const unmasked: PlannedRequest[] = [];

jest.mock('../../../nodes/PaymentPlatform/output/describe-previews', () => {
  const actual = jest.requireActual<object>('../../../nodes/PaymentPlatform/output/describe-previews') as {
    describePreviews: (results: unknown, preview: Preview) => unknown;
  };
  return {
    ...actual,
    describePreviews: (results: unknown, preview: Preview) => {
      unmasked.push(...new Set([...preview.requests.values()].flat()));
      return actual.describePreviews(results, preview);
    },
  };
});

const MOST_FILLINGS = 400;
/** Replaces the node's own reference, because each execution makes another one. */
const NEW_REFERENCE = 'made when the node sends the item';

const API_REQUEST = {
  ...{ resource: 'api', operation: 'request', method: 'POST', path: '/platform/invoice' },
  body: JSON.stringify({ ...exampleRequest('createInvoice').body, customer_id: 'CUST0001' }),
};

interface Case {
  name: string;
  resource: string;
  /** Returns parameters of a request that the service accepts. */
  parametersOf: () => Promise<INodeParameters>;
}

const writing = operations.filter(({ declared }) => declared.request.effect !== 'reads');
const cases: Case[] = [
  ...writing.map((chosen): Case => ({
    ...chosen,
    parametersOf: async () => {
      const learner = new Learner(new Random(1), sandbox, recorder);
      const accept = ({ sent, filled }: { sent: Seen[]; filled: { parameters: INodeParameters } }) =>
        sent.some(isWrite) ? filled.parameters : undefined;
      return await learner.fill(chosen, accept, MOST_FILLINGS);
    },
  })),
  { name: 'api.request', resource: 'invoice', parametersOf: async () => await Promise.resolve(API_REQUEST) },
];

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

async function run(parameters: INodeParameters, options: INodeParameters) {
  const { merchantId, apiKey } = sandbox.credentials.test;
  recorder.passed();
  unmasked.length = 0;
  const { items, error } = await runWorkflow({
    rows: [{}, {}],
    files: [{ data: PDF }, { data: PDF }],
    parameters: { ...parameters, options },
    credential: { environment: 'test', baseUrl: recorder.baseUrl, merchantId, authMethod: 'apiKey', apiKey },
    onError: 'continueRegularOutput',
  });
  return { items: items.map(({ json }) => json), error, writes: recorder.passed().filter(isWrite) };
}

const isWrite = ({ operationId }: Seen) =>
  !operationId.startsWith('/') && describedOperation(operationId)['x-money'] !== 'reads';

/** Returns the request as the service would read it. */
function onTheWire({ method, path, values, operation, decided }: PlannedRequest): IDataObject {
  const isForm = (decided?.to ?? operation.request).encoding === 'multipart';
  const asSent = ([name, value]: [string, unknown]) => {
    if (!(value instanceof FileToSend)) return [name, isForm ? asText(value) : value];
    const { fileName, mimeType, bytes, sha256 } = value;
    return [name, { fileName, mimeType, bytes, sha256, start: expect.any(String) as string }];
  };
  const body = Object.fromEntries(Object.entries(values.body).map(asSent)) as IDataObject;
  const query = Object.fromEntries(
    Object.entries(values.query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : `${asText(value)}`,
    ]),
  );
  const isWithout = method === 'DELETE' || method === 'GET';
  const reference = values.reference && { [values.reference.name]: NEW_REFERENCE };
  return { method, target: path, query, body: isWithout ? undefined : { ...body, ...reference } };
}

/** Replaces the node's own reference in a request that the service received. */
function received({ method, target, query, body }: Seen, shown: IDataObject): IDataObject {
  const own = Object.entries((shown.body ?? {}) as IDataObject).filter(([, value]) => value === NEW_REFERENCE);
  const replaced = own.map(([name]) => [name, referenceIn(body, name)]);
  return {
    method,
    target,
    query,
    body:
      body === undefined ? undefined : { ...(body as IDataObject), ...(Object.fromEntries(replaced) as IDataObject) },
  };
}

const referenceIn = (body: unknown, name: string) => {
  const value = (body as IDataObject | undefined)?.[name];
  return typeof value === 'string' && /^[A-Z0-9]{20}$/.test(value) ? NEW_REFERENCE : value;
};

/** The service assigns the ID of a record that an earlier request of the row creates. */
const withId = ({ target, ...request }: IDataObject) => ({
  ...request,
  target: asText(target).includes('/new_')
    ? (expect.stringMatching(asText(target).replace(/new_\w+/, '\\d+')) as string)
    : target,
});

/** Also accepts a list, whose names are its indexes. */
const isRecord = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null;

/** Returns the values in which a preview's item differs from the unmasked request by more than masking. */
function unlike(preview: unknown, given: unknown, name = ''): string[] {
  const plain = isRecord(given) && 'fileName' in given ? given.fileName : given;
  if (isRecord(plain) && isRecord(preview))
    return [...new Set([...Object.keys(preview), ...Object.keys(plain)])].flatMap((inner) =>
      unlike(preview[inner], plain[inner], inner),
    );
  const masked = maskRecord({ [name]: plain } as IDataObject)[name];
  // Masking removes some secrets.
  const isMasked = preview === masked || (isSecretField(name) && /^\*+$/.test(String(preview)));
  return isMasked ? [] : [`${name}: ${String(preview)} instead of ${String(plain)}`];
}

test.each(cases)(
  '$name: a preview of two equal rows sends nothing and shows the requests that the node then sends',
  async ({ resource, parametersOf }) => {
    const parameters = await parametersOf();
    await freshRecords(sandbox, resource);
    const previewed = await run(parameters, { previewOnly: true });
    expect(previewed).toMatchObject({ error: undefined, writes: [] });
    const planned = unmasked.map(onTheWire);
    const decided = previewed.items.map(({ decision }) => decision);
    expect(decided[0]).toBe('send');
    for (const { request } of previewed.items.filter(({ decision }) => decision === 'send')) {
      const { method, path, query = {}, body } = request as IDataObject;
      const { target, ...plain } = planned[0] ?? {};
      expect(unlike({ method, path, query, body }, { ...plain, path: target })).toEqual([]);
    }
    const { writes } = await run(parameters, {});
    const sent = writes.map((write) => received(write, planned[0] ?? {}));
    expect(sent.slice(0, planned.length)).toEqual(planned.map(withId));
    const later = decided.filter((decision) => decision === 'depends_on_earlier_row');
    expect(sent.length - planned.length).toBeLessThanOrEqual(later.length);
  },
);
