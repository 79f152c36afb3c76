import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../nodes/PaymentPlatform/model/failure';
import { outputItems } from '../../nodes/PaymentPlatform/output/output-items';
import { toolItems } from '../../nodes/PaymentPlatform/output/tool-answer';
import { resourcesAt } from '../../nodes/PaymentPlatform/model/operation';
import { declared } from '../../nodes/PaymentPlatform/resources';
import { holdsIn } from '../../nodes/PaymentPlatform/shared/versions';
import { EVENT_SHAPES } from '../../nodes/PaymentPlatform/trigger/events';
import { PROBE_EVENT } from '../../nodes/PaymentPlatform/fields/events';
import { component, describedEvents } from '../../interface/generate/interface-document';
import { typeRecord } from '../../nodes/PaymentPlatform/output/format-record';
import { flat, outputSchema, sampleOf, schemaOf, type OutputSchema } from '../../interface/generate/output-schema';

/** Output types by path, for example `line_items[].quantity`. */
export type OutputTypes = Record<string, string>;

/** Returns a node version's outputs: items of operations, events and failures. */
export const outputsOf = (node: string, version: number): Record<string, OutputTypes> =>
  node.endsWith('Trigger') ? eventOutputs(version) : { ...operationOutputs(version), ...FAILED };

function typesIn({ type, properties, items }: OutputSchema, path = ''): OutputTypes {
  const own = path === '' ? {} : { [path]: kindOf(type) };
  const inner = Object.entries(properties ?? {}).map(([name, one]) =>
    typesIn(one, path === '' ? name : `${path}.${name}`),
  );
  return Object.assign(own, ...inner, items && typesIn(items, `${path}[]`)) as OutputTypes;
}

const kindOf = (type: string) =>
  [...new Set([type].flat().map((one) => (one === 'integer' ? 'number' : one)))].join(' or ');

const operationOutputs = (version: number): Record<string, OutputTypes> =>
  Object.fromEntries(
    resourcesAt(declared, version).flatMap((resource) =>
      resource.operations.flatMap((operation): Array<[string, OutputTypes]> => {
        const name = `${resource.value}.${operation.value}`;
        const [shown, whole] = [outputSchema(operation), outputSchema(operation, true)];
        if (!shown || !whole) return [];
        return [
          ...(operation.simplified ? [[`${name}, simplified`, typesIn(shown)] as [string, OutputTypes]] : []),
          [name, typesIn(whole)],
        ];
      }),
    ),
  );

/** Failure with every optional field set. `Required` makes the compiler report omissions. */
const FAILURE: Required<Failure> = {
  outcome: 'unknown',
  message: 'message',
  advice: 'advice',
  said: 'said',
  httpStatus: 500,
  rcode: '001',
  code: 1,
  pgId: '1',
  retryAfterMs: 1,
  tries: 2,
  request: 'request',
  reads: false,
  references: {},
  applied: true,
  resolveCode: 'code',
  lookUp: 'look up',
};
const RESULT = { kind: 'failed' as const, items: [0], failure: FAILURE };
const typesOf = (items: Array<{ json: IDataObject }>) => typesIn(schemaOf(items[0]?.json ?? {}));

const FAILED: Record<string, OutputTypes> = {
  'a failed item': typesOf(outputItems([RESULT])),
  'a failed item, on the error output': typesOf(outputItems([RESULT], true)),
  'a failed call of a tool': typesOf(toolItems([RESULT])),
};

function eventOutputs(version: number): Record<string, OutputTypes> {
  const shape = EVENT_SHAPES.find((one) => holdsIn(one, version));
  if (!shape) throw new Error(`The trigger has no shape of events in version ${version}`);
  const about = { webhook_id: 1, db_timestamp: '2030-03-01 09:05:00', is_test: true };
  const itemOf = (event: string, data: IDataObject, split: boolean) => {
    const handover = {
      id: 'id',
      receivedBy: 'process',
      receivedAt: 'now',
      notices: ['notice'],
      payload: { ...about, event, data },
    };
    const record = { record: {}, record_error: 'reason' };
    return typesIn(schemaOf(typeRecord(shape.itemsOf(handover, { split, record })[0] ?? {})));
  };
  const known = describedEvents()
    .filter(({ name }) => name !== PROBE_EVENT)
    .map(({ name, data }): [string, OutputTypes] => {
      const sample = data === null ? {} : sampleOf(flat(name, component(data)));
      return [name, itemOf(name, sample as IDataObject, false)];
    });
  return { ...Object.fromEntries(known), 'an entry of many': itemOf('many', { records: [{}] }, true) };
}
