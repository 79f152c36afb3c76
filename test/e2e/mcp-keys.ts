import { publishTool, type AgentHost } from './agent-ways';
import { call, callAtOnce, inTurn, isSent, KEY_ONLY, newSale, refund, refunds } from './mcp-refunds';

export function describeMcpKeys(shared: () => AgentHost): void {
  describe('A deduplication key that an MCP client chooses', () => {
    let host: AgentHost;
    let url: string;
    beforeAll(async () => {
      host = shared();
      url = `${host.n8n.baseUrl}/${await publishTool(host, { guards: KEY_ONLY })}`;
    });
    beforeEach(() => host.sandbox.control.clearJournal());

    test('the tool sends one refund for two calls with the same key and different amounts', async () => {
      const id = newSale(host);
      const texts = await inTurn([10, 10, 20], async (amount) => await call(url, refund(id, 'K1', amount)));
      expect(texts[1]).toMatch(/DONE BEFORE\. .*the same key/);
      expect(texts[2]).toMatch(/REFUSED\. .*used the same key for another payment/);
      for (const text of texts) expect(text).not.toContain('use a different key');
      expect(refunds(host)).toHaveLength(1);
    });

    test('the tool sends two equal refunds for two calls with different keys', async () => {
      const id = newSale(host);
      for (const key of ['K2', 'K3']) expect(await call(url, refund(id, key))).toContain('"rcode":"000"');
      expect(refunds(host)).toHaveLength(2);
    });

    test('the tool sends one refund for simultaneous calls with the same key', async () => {
      const texts = await callAtOnce(
        Array.from({ length: 5 }, () => url),
        refund(newSale(host), 'K4'),
      );
      expect(texts.filter(isSent)).toHaveLength(1);
      expect(refunds(host)).toHaveLength(1);
    });

    test('the tool refuses a call with an empty, overlong or missing key before any request', async () => {
      const id = newSale(host);
      for (const key of ['', ' ']) expect(await call(url, refund(id, key))).toMatch(/"Once per Key\\" must be text/);
      expect(await call(url, refund(id, 'k'.repeat(256)))).toMatch(/"Once per Key\\" must have at most 255 characters/);
      const withoutKey = { transaction: id, amount: 10, note: 'S1' };
      expect(await call(url, withoutKey).catch((error: Error) => error.message)).toMatch(/idempotency_key/);
      expect(host.sandbox.control.journal()).toEqual([]);
    });

    test('after a restart of n8n, the tool refuses a used key and sends an equal refund with a new key', async () => {
      const id = newSale(host);
      await call(url, refund(id, 'K5'));
      await host.n8n.restart();
      expect(await call(url, refund(id, 'K6'))).toContain('"rcode":"000"');
      expect(await call(url, refund(id, 'K5', 10))).toContain('DONE BEFORE');
      expect(await call(url, refund(id, 'K5', 20))).toContain('used the same key for another payment');
      expect(refunds(host)).toHaveLength(2);
    });

    test('after a restart of n8n, the tool sends no equal refund with a new key unless the user allows equal payments', async () => {
      const id = newSale(host);
      const guards = { ...KEY_ONLY, allowEqual: false };
      const address = `${host.n8n.baseUrl}/${await publishTool(host, { guards })}`;
      expect(await call(address, refund(id, 'K7'))).toContain('"rcode":"000"');
      await host.n8n.restart();
      expect(await call(address, refund(id, 'K8'))).toContain('DONE BEFORE');
      expect(refunds(host)).toHaveLength(1);
    });
  });
}
