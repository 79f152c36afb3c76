import type { IDataObject } from 'n8n-workflow';

import { showAccountNumbers } from '../../fields/kinds/card';
import { choice } from '../../fields/kinds/choice';
import { group } from '../../fields/kinds/group';
import { jsonObject } from '../../fields/kinds/json';
import { text } from '../../fields/kinds/text';
import type { Problem } from '../../fields/types';
import { describe } from '../../fields/value';
import type { Operation } from '../../model/types';
import { asText, objectIn } from '../../shared/objects';
import { checkValues } from './check-values';
import { dayRecordsOfPath, moneyOfPath } from './money';
import { onlyReads, safePath } from './path';
import { requestFootprint } from './footprint';

const METHODS = ['DELETE', 'GET', 'POST', 'PUT'] as const;
/** Query parameters that n8n's HTTP client omits without a warning. */
const DROPPED = new Set(['__proto__', 'constructor', 'prototype']);
/** Paths that pay money out or take money without an issuer's approval. */
const OFF_IN_TOOLS = /^\/pg\/(?:credit|force|payment)$/i;
const shownFor = (...methods: string[]) => ({ displayOptions: { show: { method: methods } } });

export const request: Operation = {
  value: 'request',
  name: 'Send Request',
  action: 'Send API request',
  description: 'Send a request to any endpoint of the service',
  moneyEffect: 'The request can move money.',
  // `shape` determines the request of each item. Before that, the node assumes a write that it must not repeat.
  request: { method: 'POST', path: '/{path}', family: 'any', effect: 'writesOnce' },
  money: moneyOfPath,
  dayRecordsOf: dayRecordsOfPath,
  readsWith: { method: ['GET'] },
  offInTools: ({ method, path }) => method === 'POST' && OFF_IN_TOOLS.test(path),
  fields: [
    choice({
      name: 'method',
      label: 'Method',
      description:
        'HTTP method of the request. If the outcome is unknown, the node retries only GET requests on paths that are documented as read-only.',
      options: METHODS.map((name) => ({ name, value: name })),
      default: 'GET',
      required: true,
      place: 'node',
    }),
    text({
      name: 'path',
      label: 'Path',
      description: 'Path relative to the base URL of the credential. The path must start with /pg/ or /platform/.',
      placeholder: 'e.g. /platform/invoice',
      required: true,
      place: 'node',
    }),
    choice({
      name: 'pages',
      label: 'Pages',
      description: 'Number of pages to retrieve from a path that returns a list',
      options: [
        {
          name: 'All Pages',
          value: 'all',
          description: 'Retrieve all records of a list. Works only for paths that are documented as read-only.',
        },
        { name: 'One Response', value: 'one', description: 'Send one request and return the response' },
      ],
      default: 'one',
      place: 'node',
      ...shownFor('GET'),
    }),
    group({
      name: 'queryParameters',
      label: 'Query Parameters',
      description: 'Parameters to append to the URL. You can use the same name more than once.',
      place: 'node',
      type: 'list',
      itemLabel: 'Parameter',
      topLevel: true,
      fields: [
        text({ name: 'name', label: 'Name', description: 'Name of the parameter', required: true }),
        text({ name: 'value', label: 'Value', description: 'Value of the parameter', required: true }),
      ],
      rule: ({ name }) =>
        DROPPED.has(asText(name))
          ? [
              {
                label: 'Name',
                found: describe(name),
                allowed: 'must be a different name, because n8n omits a parameter with this name',
              },
            ]
          : [],
      encode: (list) => byName([list].flat()),
    }),
    jsonObject({
      name: 'body',
      label: 'Body',
      description: 'JSON object to send',
      place: 'node',
      hint: 'In Production, a request can move money immediately',
      ...shownFor('POST', 'PUT'),
    }),
  ],
  additional: [
    showAccountNumbers(),
    text({
      name: 'lookUpPath',
      label: 'Look Up With GET',
      description:
        'Path of the record that this request creates, e.g. /platform/plan/GOLD. If the response is lost, the node reads this path. The item succeeds if the record did not exist before the request and exists now.',
      placeholder: 'e.g. /platform/plan/GOLD',
      place: 'node',
      displayOptions: { show: { '/method': ['POST', 'PUT'] } },
    }),
  ],
  shape: ({ node }, problems) => {
    const path = safePath(node.path, problems) ?? '';
    const method = methodOf(node);
    const reads = onlyReads(method, path);
    const sendsBody = method === 'POST' || method === 'PUT';
    problems.push(...checkValues(node.queryParameters, 'Query Parameters'));
    if (sendsBody) problems.push(...checkValues(node.body, 'Body'));
    if (sendsBody && node.lookUpPath !== undefined) checkLookUp(node.lookUpPath, problems);
    return {
      method,
      path,
      family: 'any',
      effect: reads ? 'reads' : 'writesOnce',
      query: objectIn(node.queryParameters),
      body: sendsBody ? objectIn(node.body) : {},
      ...(reads && node.pages === 'all' && { list: { fields: [] } }),
    };
  },
  notice: ({ node }) =>
    methodOf(node) === 'GET' && node.pages === 'all' && !onlyReads('GET', safePath(node.path, []) ?? '')
      ? 'The node sent this request once and ignored "All Pages", because the path is not documented as read-only.'
      : undefined,
  footprint: requestFootprint,
  lookUp: 'Do not send this request again before you read the record with a GET request.',
};

const methodOf = ({ method }: IDataObject) => METHODS.find((name) => name === method) ?? 'POST';

/** A look-up must not change data, and some GET requests do (service.md#disputes). */
function checkLookUp(typed: unknown, problems: Problem[]): void {
  const label = 'Look Up With GET';
  const path = safePath(typed, problems, label);
  if (path !== undefined && !onlyReads('GET', path))
    problems.push({ label, found: path, allowed: 'must be a path whose GET requests are documented as read-only' });
}

/** For a query parameter with several values, n8n sends the name once per value. */
function byName(pairs: IDataObject[]): IDataObject {
  const query = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const values = query.get(asText(name));
    if (values) values.push(asText(value));
    else query.set(asText(name), [asText(value)]);
  }
  return Object.fromEntries([...query].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
