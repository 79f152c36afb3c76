import { NodeHelpers, type IExecuteFunctions, type INode, type INodeParameters } from 'n8n-workflow';

import { PaymentPlatformTrigger } from '../../../nodes/PaymentPlatform/PaymentPlatformTrigger.node';
import { since, until } from '../../../nodes/PaymentPlatform/shared/versions';
import { triggerParameters, triggerProperties } from '../../../nodes/PaymentPlatform/trigger/description';
import { emit } from '../../../nodes/PaymentPlatform/trigger/emit';
import { EVENT_SHAPES, NEWEST_SHAPE } from '../../../nodes/PaymentPlatform/trigger/events';

const nodeOf = (parameters: INodeParameters, typeVersion: number): INode => ({
  id: '1',
  name: 'T',
  type: 't',
  typeVersion,
  position: [0, 0],
  parameters,
});

/** Trigger parameters with an invented version 1.1, in which `enrich` has a different default. */
const properties = triggerProperties(
  triggerParameters().flatMap((one) =>
    one.name === 'enrich' ? [until(1, one), since(1.1, { ...one, default: true })] : [one],
  ),
  [1, 1.1],
);
const shapes = [until(1, NEWEST_SHAPE), since(1.1, { itemsOf: () => [{ told: 'otherwise' }] })];

const valuesAt = (typeVersion: number, all = properties) => {
  const description = { ...new PaymentPlatformTrigger().description, version: [1, 1.1], properties: all };
  return NodeHelpers.getNodeParameters(all, {}, true, false, nodeOf({}, typeVersion), description);
};

test('a version 1 trigger keeps a missing value, and a new trigger sends the default', () => {
  expect(valuesAt(1)).toEqual(valuesAt(1, triggerProperties()));
  expect(valuesAt(1)).toMatchObject({ enrich: false });
  expect(valuesAt(1.1)).toMatchObject({ enrich: true });
});

test('a version 1 trigger outputs the old item, and a new trigger outputs the new item', async () => {
  const delivery = { payload: { event: 'invoice_paid', data: { invoice_id: 1 } }, receivedAt: 'now', notices: [] };
  const contextAt = (typeVersion: number) =>
    ({
      getInputData: () => [{ json: { delivery } }],
      getMode: () => 'manual',
      getNode: () => nodeOf({}, typeVersion),
      getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
    }) as unknown as IExecuteFunctions;
  expect(await emit(contextAt(1), shapes)).toEqual(await emit(contextAt(1), EVENT_SHAPES));
  expect(await emit(contextAt(1.1), shapes)).toEqual([[{ json: { told: 'otherwise' }, pairedItem: { item: 0 } }]]);
});
