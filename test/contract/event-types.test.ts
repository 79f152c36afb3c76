import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import {
  component,
  describedEvents,
  propertiesOf,
  resolve,
  type Schema,
} from '../../interface/generate/interface-document';
import { KIND_OF, meaningOf } from '../../interface/generate/meanings';
import { examplesFolder } from '../../host/paths';
import type { WorkflowJson } from '../../host/rest';
import { EVENT_GROUPS } from '../../nodes/PaymentPlatform/fields/events';
import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import type { Kind } from '../../nodes/PaymentPlatform/wire/kinds';
import { misfits } from '../meanings';
import { openTriggerBench, type TriggerBench } from '../trigger/bench';

const OTHER_FORM: Record<Kind, unknown> = {
  number: '12.50',
  text: 7001,
  flag: 'true',
  day: '2026-03-31T00:00:00.000Z',
  instant: '2026-05-04T10:15:00.000-0700',
  pacificInstant: '2026-05-04 10:15:00',
};

const inOtherForms = (schema: Schema): IDataObject =>
  Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, own]) => [name, otherForm(name, own)]),
  ) as IDataObject;

function otherForm(name: string, schema: Schema): unknown {
  const { items, ...own } = resolve(schema);
  if (items) return [otherForm(name, items)];
  if (own.type === 'object' || own.allOf) return inOtherForms(schema);
  return OTHER_FORM[KIND_OF[meaningOf(name, own)]];
}

const emitted = describedEvents().flatMap(({ name, data }) => (data === null ? [] : [{ name, data }]));

describe.each([
  ['as it comes', {}],
  ['split into items', { split: true }],
])('a delivery %s', (_, options) => {
  let bench: TriggerBench;
  beforeEach(async () => (bench = await openTriggerBench({ events: ['*'], options })));
  afterEach(async () => await bench.close());

  test.each(emitted)('a delivery of $name outputs each value with its declared type', async ({ name, data }) => {
    const record = inOtherForms(component(data));
    expect(misfits(record).length).toBeGreaterThan(2);
    const before = bench.host.executions.length;
    expect(await bench.deliver(name, record)).toEqual([200]);
    const items = bench.host.executions.slice(before).flat();
    expect(items.length).toBeGreaterThan(0);
    expect(misfits(items.map(({ json }) => json))).toEqual([]);
  });
});

test('an example workflow contains a sample of each event in the form of a delivery', async () => {
  const example = JSON.parse(readFileSync(join(examplesFolder, 'sample-events.json'), 'utf8')) as WorkflowJson;
  const samples = Object.values(example.pinData ?? {}).flatMap((items) => items.map(({ json }) => json));
  expect(samples.map(({ event }) => event)).toEqual(
    EVENT_GROUPS.flatMap(({ events }) => events.map(({ value }) => value)),
  );
  expect(misfits(samples)).toEqual([]);
  const bench = await openTriggerBench({ events: ['*'] });
  for (const { what_happened, sample, ...rest } of samples) {
    const { event, payload } = rest as { event: string; payload: { data: IDataObject } };
    await bench.deliver(event, payload.data);
    expect(what_happened).toMatch(/^Sample: /);
    const [item] = bench.host.executions.at(-1) ?? [];
    expect(sample).toBe(true);
    expect(item?.json).toMatchObject({
      what_happened: asText(what_happened).replace(/^Sample: /, ''),
      event,
      payload: { event, data: payload.data },
    });
    expect(Object.keys(item?.json ?? {})).toEqual(['what_happened', ...Object.keys(rest)]);
  }
  await bench.close();
});
