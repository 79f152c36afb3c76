import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { Memory } from '../../nodes/PaymentPlatform/pipeline/memory';
import type { Account, PlannedRequest } from '../../nodes/PaymentPlatform/pipeline/types';

const account = { baseUrl: 'https://pay.example.com', digestKey: 'key' } as Account;

/** What an execution keeps, opened by tries of the node with the given parameters. */
function execution() {
  const store = {};
  return (parameters: INodeParameters = {}) =>
    Memory.open(
      {
        getContext: () => store,
        evaluateExpression: () => 0,
        getInputData: () => [{ json: {} }],
        getNode: () => ({ parameters }),
      } as unknown as IExecuteFunctions,
      account,
    );
}

const request = (changes: Partial<PlannedRequest> = {}): PlannedRequest =>
  ({
    items: [0],
    part: 0,
    method: 'POST',
    path: '/platform/customer/1',
    values: { path: {}, query: { a: 1 }, body: { b: 2 }, node: {} },
    ...changes,
  }) as PlannedRequest;

test('a request that is the same in the next try is answered from memory', () => {
  const open = execution();
  open().done(request(), [{ id: 1 }]);
  expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ id: 1 }] });
});

test.each([
  ['method', { method: 'PUT' }],
  ['path', { path: '/platform/customer/2' }],
  ['query', { values: { ...request().values, query: { a: 2 } } }],
  ['body', { values: { ...request().values, body: { b: 3 } } }],
] as Array<[string, Partial<PlannedRequest>]>)(
  'a node that was edited so that the %s differs makes a new request',
  (_, changes) => {
    const open = execution();
    open({ edited: false }).done(request(), [{ id: 1 }]);
    expect(open({ edited: true }).recall(request(changes))).toBeUndefined();
    expect(open({ edited: true }).recall(request())).toBeDefined();
  },
);
