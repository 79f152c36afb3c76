import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { planItem } from '../../../nodes/PaymentPlatform/run/plan-item';
import type { Account, Operation } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { Random } from '../../simulator/random';
import { contextOf } from '../../unit/context';
import { PAYMENT_NODE } from '../harness';
import { inside, Panel } from './person/fill';
import { Habits } from './person/habits';

const { description } = PAYMENT_NODE;
const NODE = { typeVersion: 1 } as INode;
/** Number of fillings per panel. */
const FILLINGS = 3;

const account = { environment: 'test', baseUrl: 'https://example.com/test', merchantId: '123456789012' } as Account;

/** Returns the parameters of one resource, because the others would only cost time. */
const propertiesOf = ({ resource }: INodeParameters) =>
  description.properties.filter(
    ({ displayOptions: { show } = {} }) => show?.resource?.includes(resource as string) ?? true,
  );

const parametersOf = (parameters: INodeParameters, withDefaults: boolean): INodeParameters =>
  NodeHelpers.getNodeParameters(propertiesOf(parameters), parameters, withDefaults, false, NODE, description) ?? {};

const isShown = (values: INodeParameters, property: INodeProperties, root = values) =>
  NodeHelpers.displayParameter(values, property, NODE, description, root);

/** Returns whether n8n's editor considers a parameter's value one of its options. A collection's value never is. */
function hasValidOption({ name, options = [] }: INodeProperties, parameters: INodeParameters): boolean {
  const isChoice = options.length > 0 && options.every((option) => 'value' in option);
  return isChoice && options.some((option) => 'value' in option && option.value === parameters[name]);
}

/**
 * Returns a filled panel after another operation is chosen, as both versions of n8n's editor change it
 * (n8n.md#parameters).
 */
function switchedTo(operation: string, filled: INodeParameters): INodeParameters {
  const parameters = { ...parametersOf(filled, false), operation };
  for (const property of propertiesOf(filled)) {
    const { name, options, displayOptions: { show, hide } = {} } = property;
    const depends = show?.operation !== undefined || hide?.operation !== undefined;
    if (!depends || !options || !(name in parameters) || hasValidOption(property, parameters)) continue;
    if (isShown(parameters, property)) Reflect.deleteProperty(parameters, name);
  }
  return parametersOf(parameters, false);
}

/** Returns only the visible parameters, at any depth. */
function shownOf(properties: INodeProperties[], values: INodeParameters, root = values): INodeParameters {
  const shown = properties.filter(({ name }) => name in values).filter((property) => isShown(values, property, root));
  return Object.fromEntries(
    shown.map((property) => {
      const { name, type } = property;
      const value = values[name] as INodeParameters;
      if (type === 'collection') return [name, shownOf(inside(property), value, root)];
      if (type !== 'fixedCollection') return [name, value];
      const rowOf = (row: INodeParameters) => shownOf(inside(property), row, root);
      const entries = Object.entries(value) as Array<[string, INodeParameters | INodeParameters[]]>;
      return [
        name,
        Object.fromEntries(entries.map(([key, rows]) => [key, Array.isArray(rows) ? rows.map(rowOf) : rowOf(rows)])),
      ];
    }),
  ) as INodeParameters;
}

/** Context of the node, so that all plans of an item get the same generated reference. */
const kept = {};
const plannedOf = (operation: Operation, parameters: INodeParameters) => {
  const context = Object.assign(contextOf(parameters), { getContext: () => kept, evaluateExpression: () => 0 });
  return JSON.stringify(planItem(context, operation, account, 0));
};

/** Fields with the data of a card or bank account. */
const CARD_DATA = new Set(['card_number', 'cvv2', 'exp_date', 'tr_number', 'dda_number', 'card_swipe']);

/** Returns the card data in parameters, at any depth and inside JSON. */
function cardDataIn(values: unknown): string[] {
  if (typeof values === 'string' && values.startsWith('[{')) return cardDataIn(JSON.parse(values));
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    CARD_DATA.has(name) ? (value === '' ? [] : [name]) : cardDataIn(value),
  );
}

const random = new Random(1);
const FILLED = { shares: [95], careful: 0, wanted: () => undefined, kept: () => false };

/** Returns the problems after a change from one operation to another. */
function problemsOf(filled: INodeParameters, after: Operation): string[] {
  const kept = switchedTo(after.value, filled);
  const all = parametersOf(kept, true);
  const shown = shownOf(propertiesOf(kept), all);
  return [
    ...(plannedOf(after, all) === plannedOf(after, shown) ? [] : ['sends what its panel does not show']),
    ...cardDataIn(kept).map((field) => `keeps ${field}`),
  ];
}

test('sends no card data and no hidden fields of an operation that was selected earlier', () => {
  const problems = new Set<string>();
  let typed = 0;
  for (const { value: resource, operations } of resources)
    for (const before of operations) {
      const panel = new Panel(description, random, new Habits(random), FILLED);
      for (let filling = 0; filling < FILLINGS; filling += 1) {
        const { parameters } = panel.fill(resource, before.value, []);
        typed += cardDataIn(parameters).length;
        for (const after of operations.filter((one) => one !== before))
          for (const problem of problemsOf(parameters, after))
            problems.add(`${resource}: ${before.value} to ${after.value} ${problem}`);
      }
    }
  expect([...problems]).toEqual([]);
  expect(typed).toBeGreaterThan(30);
}, 120_000);
