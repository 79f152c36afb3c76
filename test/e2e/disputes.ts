import { createHash, randomBytes } from 'node:crypto';

import { itemsOf } from '../../host/rest';
import type { Host } from './host';
import { inLine, node, own, rowsNodes } from './workflows';

/** A PDF with bytes of every kind, larger than one network packet. */
const EVIDENCE = Buffer.concat([Buffer.from('%PDF-1.7\r\n--'), randomBytes(300_000), Buffer.from('\r\n%%EOF')]);

/** Declares the test of evidence, which needs an n8n that stores files separately. */
export function describeDisputes(shared: () => Host): void {
  describe('evidence for a dispute', () => {
    test('evidence from a separately stored file arrives once and complete', async () => {
      const host = shared();
      const nodes = [
        ...rowsNodes([{ content: EVIDENCE.toString('base64') }]),
        own(host, 'Create', {
          resource: 'dispute',
          operation: 'createTestData',
          additionalFields: { reason_code: '13.1' },
        }),
        node(
          'Evidence',
          'n8n-nodes-base.set',
          {
            mode: 'raw',
            jsonOutput: "={{ { rec_id: $json.rec_id, content: $('Rows').item.json.content } }}",
            options: {},
          },
          { typeVersion: 3.4 },
        ),
        node(
          'File',
          'n8n-nodes-base.convertToFile',
          {
            operation: 'toBinary',
            sourceProperty: 'content',
            options: { fileName: 'delivery.pdf', mimeType: 'application/pdf' },
          },
          { typeVersion: 1.1 },
        ),
      ];
      const last = own(host, 'Respond', {
        resource: 'dispute',
        operation: 'respond',
        rec_id: { __rl: true, mode: 'id', value: "={{ $('Create').item.json.rec_id }}" },
        dispute_response: { message: 'Delivered – signed' },
      });
      const names = [...nodes, last].map(({ name }) => name);
      const workflow = {
        name: 'evidence',
        nodes: [...nodes, last],
        connections: inLine(...names),
        settings: { executionOrder: 'v1' },
      };
      const execution = await host.rest.execute(await host.rest.saveWorkflow(workflow));
      const [item] = itemsOf(execution, 'Respond');
      expect(item).toMatchObject({ responded: true });
      const received = host.sandbox.control.journal({ operationId: 'submitDisputesResponse' });
      expect(received.map(({ status }) => status)).toEqual([200]);
      expect(received[0]?.body).toMatchObject({
        file: {
          fileName: 'delivery.pdf',
          mimeType: 'application/pdf',
          bytes: EVIDENCE.length,
          sha256: createHash('sha256').update(EVIDENCE).digest('hex'),
        },
        disputeResponse: '{"message":"Delivered – signed"}',
      });
    });
  });
}
