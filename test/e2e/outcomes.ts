import { NodeConnectionTypes, type IDataObject } from 'n8n-workflow';

import { itemsOf } from '../../host/rest';
import type { FaultRule } from '../../sandbox';
import { CREDENTIAL, type Host } from './host';
import { node, own, rowsInto } from './workflows';

/** Declares the tests of network errors and of an invalid credential. */
export function describeOutcomes(shared: () => Host): void {
  /** Each version of n8n wraps network errors differently. The outcome must not be lost. */
  describe('the outcome of a refund', () => {
    let host: Host;
    beforeAll(() => {
      host = shared();
    });
    afterAll(async () => void (await host.rest.saveCredential(CREDENTIAL, host.credential)));

    async function failure(pgId: string, baseUrl = host.credential.baseUrl): Promise<IDataObject> {
      await host.rest.saveCredential(CREDENTIAL, { ...host.credential, baseUrl });
      const parameters = {
        resource: 'transaction',
        operation: 'refund',
        pg_id: { __rl: true, mode: 'id', value: pgId },
        amt_tran: 1,
        options: { sending: { maxTries: 2 }, unknownOutcome: 'refuse' },
      };
      const refund = own(host, 'Refund', parameters, { onError: 'continueRegularOutput' });
      const id = await host.rest.saveWorkflow(rowsInto('Outcome', [{}], refund));
      const [item] = itemsOf(await host.rest.execute(id), 'Refund');
      return item?.error as IDataObject;
    }

    test.each([
      ['a port at which nobody listens', 'http://localhost:1', 'nothing responds at this address (econnrefused)'],
      ['the same with TLS', 'https://localhost:1', 'nothing responds at this address (econnrefused)'],
      ['a host that does not exist', 'https://nobody.invalid', 'no host has this name (enotfound)'],
    ])('retries a request that never reached %s and reports it as not sent', async (_, baseUrl, why) => {
      expect(await failure('123', baseUrl)).toMatchObject({
        outcome: 'notSent',
        message: `The node could not reach the service, because ${why}`,
        tries: 2,
      });
    });

    test.each<FaultRule>([
      { kind: 'reset_before_apply' },
      { kind: 'reset_after_apply' },
      { kind: 'truncated_json' },
      { kind: 'html_error_page' },
    ])('reports the fault $kind as unknown and sends the request once', async (fault) => {
      const { control } = host.sandbox;
      control.reset();
      const [sale = ''] = control.addCapturedSales({ count: 1, amountCents: 1000 });
      control.addFault({ ...fault, operationId: 'refund' });
      const { outcome, tries } = await failure(sale);
      expect({ outcome, tries }).toEqual({ outcome: 'unknown', tries: undefined });
      expect(control.journal({ operationId: 'refund' })).toHaveLength(1);
    });

    test('moves items of an invalid credential to the error output', async () => {
      host.sandbox.control.reset();
      await host.rest.saveCredential(CREDENTIAL, { ...host.credential, baseUrl: 'http://api.example.com' });
      const parameters = { resource: 'transaction', operation: 'refund', pg_id: '={{ $json.id }}', amt_tran: 1 };
      const refund = own(host, 'Refund', parameters, { onError: 'continueErrorOutput' });
      const workflow = rowsInto('Error output', [{ id: 'a' }, { id: 'b' }], refund);
      for (const name of ['Done', 'Failed']) workflow.nodes.push(node(name, 'n8n-nodes-base.noOp'));
      const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
      workflow.connections.Refund = { main: [to('Done'), to('Failed')] };
      const execution = await host.rest.execute(await host.rest.saveWorkflow(workflow));
      expect(itemsOf(execution, 'Done')).toEqual([]);
      const message = expect.stringMatching(/credential: the Base URL must start with https/) as string;
      const error = expect.objectContaining({ outcome: 'invalid', message }) as object;
      expect(itemsOf(execution, 'Failed')).toEqual([
        { id: 'a', error },
        { id: 'b', error },
      ]);
      expect(host.sandbox.control.journal()).toHaveLength(0);
    });
  });
}
