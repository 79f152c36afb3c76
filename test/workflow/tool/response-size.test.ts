import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { bodyOf, describedOperation } from '../../../interface/generate/interface-document';
import { parameterName } from '../../../nodes/PaymentPlatform/fields/value';
import type { Operation } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { asText, isList, isObject } from '../../../nodes/PaymentPlatform/shared/objects';
import { exampleRequest } from '../../example-request';
import { startRecorder } from '../recorder';
import { toolOf } from './tool-harness';

const MOST_BYTES = 8_000;
/** Number of characters in each lengthened text. Real names and addresses are shorter. */
const LONG = 200;
const TOTAL = 250;
const DEFAULT_LIMIT = 50;
const WITHOUT_PAGES = 100;

interface Read {
  key: string;
  parameters: INodeParameters;
  operationId: string;
  operation: Operation;
}

function parametersFor(resource: string, operation: Operation, operationId: string): INodeParameters {
  const { path, query, body } = exampleRequest(operationId);
  const given: Record<string, unknown> = { ...body, ...query, ...path };
  const ids = operation.fields.filter(({ required, name }) => required && name in given);
  return {
    resource,
    operation: operation.value,
    ...Object.fromEntries(
      ids.map((field) => [
        parameterName(field),
        field.kind === 'value' && field.property.type === 'resourceLocator'
          ? { __rl: true, mode: 'id', value: asText(given[field.name]) }
          : asText(given[field.name]),
      ]),
    ),
  } as INodeParameters;
}

const reads: Read[] = resources.flatMap(({ value: resource, operations }) =>
  operations.flatMap((operation) => {
    const { operationId, effect } = operation.request;
    if (operationId === undefined || effect !== 'reads') return [];
    const parameters = parametersFor(resource, operation, operationId);
    return [{ key: `${resource}.${operation.value}`, parameters, operationId, operation }];
  }),
);

function withLongTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(' ') ? value.padEnd(LONG, ' and more') : value;
  if (isList(value)) return value.map(withLongTexts);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withLongTexts(inner)]))
    : value;
}

const exampleOf = ({ operationId }: Read): IDataObject =>
  withLongTexts(bodyOf(describedOperation(operationId).responses['200']).example) as IDataObject;

function listIn(read: Read): IDataObject[] {
  const { data } = exampleOf(read);
  const { records = '' } = read.operation.request;
  const list = isObject(data) ? data[records] : data;
  return isList(list) ? list.filter(isObject) : [];
}

function withList(read: Read, list: IDataObject[]): IDataObject {
  const { data, ...envelope } = exampleOf(read);
  const { records = '' } = read.operation.request;
  return { ...envelope, data: isObject(data) ? { ...data, [records]: list } : list };
}

async function responseTo({ parameters }: Read, body: IDataObject) {
  const recorder = await startRecorder(body);
  try {
    const { items, text } = await toolOf({ parameters, credential: recorder.credential }).call();
    return { items, bytes: Buffer.byteLength(text) };
  } finally {
    await recorder.stop();
  }
}

test('every list states the number of records and the way to get more records in at most 8 kB', async () => {
  const lists = reads.filter(({ operation: { list } }) => list);
  const wrong: string[] = [];
  for (const read of lists) {
    const example = exampleOf(read);
    const [first = {}] = example.data as IDataObject[];
    const identity = read.operation.list?.identity;
    const data = Array.from({ length: DEFAULT_LIMIT }, (_, index) => ({
      ...first,
      ...(identity && { [identity]: typeof first[identity] === 'number' ? 1_000 + index : `A${1_000 + index}` }),
    }));
    const { items, bytes } = await responseTo(read, { ...example, data, totalPages: 5, totalRecords: TOTAL });
    const said = asText(items[0]?.result);
    const says = new RegExp(`^${items.length - 1} of ${TOTAL} records\\. .*(filter the list or|raise "Limit")`);
    if (bytes > MOST_BYTES || items.length < 2 || !says.test(said)) wrong.push(`${read.key}: ${bytes} bytes, ${said}`);
  }
  expect(wrong).toEqual([]);
  expect(lists.length).toBeGreaterThan(25);
});

test('every read of several records without pages states their number in at most 8 kB', async () => {
  const wrong: string[] = [];
  const several = reads.filter((read) => !read.operation.list && listIn(read).length > 0);
  for (const read of several) {
    const [first = {}] = listIn(read);
    const { items, bytes } = await responseTo(
      read,
      withList(
        read,
        Array.from({ length: WITHOUT_PAGES }, () => first),
      ),
    );
    const said = asText(items[0]?.result);
    const says = new RegExp(`^(The list is complete: |${items.length - 1} of )${WITHOUT_PAGES} records\\.`);
    if (bytes > MOST_BYTES || !says.test(said)) wrong.push(`${read.key}: ${bytes} bytes, ${said}`);
    const none = await responseTo(read, withList(read, []));
    if (none.items[0]?.result !== 'The list is empty.') wrong.push(`${read.key}: no words about an empty list`);
  }
  expect(wrong).toEqual([]);
  expect(several.map(({ key }) => key)).toEqual(expect.arrayContaining(['customerCard.getAll', 'dispute.getResponse']));
});

test('every single record with long texts has at most 8 kB by default', async () => {
  const wrong: string[] = [];
  for (const read of reads.filter(({ operation: { list } }) => !list)) {
    const { items, bytes } = await responseTo(read, exampleOf(read));
    const failed = items.some(({ outcome }) => outcome !== undefined);
    if (bytes > MOST_BYTES || items.length === 0 || failed)
      wrong.push(`${read.key}: ${bytes} bytes, ${asText(items[0]?.result)}`);
  }
  expect(wrong).toEqual([]);
});
