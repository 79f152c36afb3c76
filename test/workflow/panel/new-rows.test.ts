import {
  NodeHelpers,
  type INode,
  type INodeParameters,
  type INodeProperties,
  type INodePropertyCollection,
  type NodeParameterValueType,
} from 'n8n-workflow';

import { resources } from '../../../nodes/PaymentPlatform/resources';
import { sandboxForFile } from '../bench';
import { PAYMENT_NODE, runWorkflow } from '../harness';
import { inside, offered } from './person/fill';

const sandbox = sandboxForFile();
const { description } = PAYMENT_NODE;

const isList = ({ type, typeOptions }: INodeProperties) =>
  type === 'fixedCollection' && typeOptions?.multipleValues === true;

/**
 * Returns the row that both versions of n8n's editor add (n8n.md#parameters). The last of several parameters with one
 * name applies.
 */
function newRow({ options = [] }: INodeProperties): INodeParameters {
  const [{ values }] = options as [INodePropertyCollection];
  return Object.fromEntries(values.map((value) => [value.name, isList(value) ? {} : value.default])) as INodeParameters;
}

interface List {
  property: INodeProperties;
  /** Inserts a value of the list into the operation's parameters. */
  place: (value: NodeParameterValueType) => INodeParameters;
}

/** Returns the lists among the parameters at any depth, with the surrounding entries that the editor adds. */
function listsIn(properties: INodeProperties[], around: (added: INodeParameters) => INodeParameters): List[] {
  return properties.flatMap((property): List[] => {
    const { name, type, options = [] } = property;
    const place = (value: NodeParameterValueType) => around({ [name]: value });
    if (type === 'collection') return listsIn(inside(property), place);
    if (type !== 'fixedCollection') return [];
    const [{ name: entry }] = options as [INodePropertyCollection];
    const row = newRow(property);
    const inRow = (added: INodeParameters) =>
      place({ [entry]: isList(property) ? [{ ...row, ...added }] : { ...row, ...added } });
    return [...(isList(property) ? [{ property, place }] : []), ...listsIn(inside(property), inRow)];
  });
}

const cases = resources.flatMap(({ value: resource, operations }) =>
  operations.flatMap(({ value: operation }) =>
    listsIn(offered(description, resource, operation), (added) => ({ resource, operation, ...added })).map((list) => ({
      ...list,
      name: `${resource}.${operation} > ${list.property.displayName}`,
    })),
  ),
);

const shownIn = (row: INodeParameters, values: INodeProperties[]) =>
  values.filter((value) => NodeHelpers.displayParameter(row, value, { typeVersion: 1 }, null));

/**
 * Expression without a result. n8n refuses to start a node with a missing required value, but accepts this expression,
 * so the node reports the value.
 */
const NOTHING = '={{ "" }}';

/** Returns the list with a new row. */
function withNewRow(property: INodeProperties): INodeParameters {
  const [{ name, values }] = property.options as [INodePropertyCollection];
  const row = newRow(property);
  const missing = shownIn(row, values).filter((value) => value.required === true && row[value.name] === '');
  return { [name]: [{ ...row, ...Object.fromEntries(missing.map((value) => [value.name, NOTHING])) }] };
}

/** Returns changed parameters as n8n stores them, without defaults. */
function stored(parameters: INodeParameters): INodeParameters {
  const { resource, operation } = parameters as Record<string, string>;
  const required = offered(description, resource ?? '', operation ?? '').flatMap((one) => {
    // A required list shows its first row from the start.
    if (isList(one)) return Object.keys(one.default as object).length > 0 ? [[one.name, withNewRow(one)]] : [];
    return one.required === true ? [[one.name, NOTHING]] : [];
  });
  const all = { ...Object.fromEntries(required), ...parameters } as INodeParameters;
  const node = { typeVersion: 1 } as INode;
  return NodeHelpers.getNodeParameters(description.properties, all, false, false, node, description) ?? {};
}

/** Returns the problems of a new row. Only required values may be missing. */
async function problemsOf({ name, property, place }: (typeof cases)[number]): Promise<string[]> {
  const [{ values }] = property.options as [INodePropertyCollection];
  const row = newRow(property);
  const unfit = shownIn(row, values).filter((value) => !isList(value) && row[value.name] !== value.default);
  const { merchantId, apiKey } = sandbox.credentials.test;
  const { error } = await runWorkflow({
    rows: [{}],
    parameters: stored(place(withNewRow(property))),
    credential: { environment: 'test', baseUrl: sandbox.baseUrl, merchantId, authMethod: 'apiKey', apiKey },
  });
  const said = (error?.message ?? '').split('; ').filter((problem) => problem.startsWith(`"${property.displayName} 1`));
  return [
    ...unfit.map((value) => `${name} > ${value.displayName} starts as ${JSON.stringify(row[value.name])}`),
    ...said.filter((problem) => !/^"[^"]+" is required(:|$)/.test(problem)).map((problem) => `${name}: ${problem}`),
  ];
}

test('finds lists at the top level, in collections and in objects', () => expect(cases.length).toBeGreaterThan(50));

test('fills a new row of each list with consistent defaults', async () => {
  const problems: string[] = [];
  for (const list of cases) problems.push(...(await problemsOf(list)));
  expect(problems).toEqual([]);
}, 60_000);
