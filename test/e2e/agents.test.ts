import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox';
import { agentsPage, asWritten } from '../agents-page';
import { publishTool, startAgentHost, waysOf, type AgentHost, type ToolSettings, type Way } from './agent-ways';
import type { Turns } from './chat-model';
import { major, version } from './host';
import { openMcpSession } from './mcp-client';
import { describeMcpKeys } from './mcp-keys';
import { describeRefundApproval } from './refund-approval';
import { describeSupportAgent } from './support-agent';

/** Phrases that have caused models to repeat a tool call. */
const INVITES =
  /retry|try again|run (it|this item|again|fewer)|send again|this item|item \d|econn|etimedout|immediately/i;

const LIMITS = { limitPerItem: 50, limitPerExecution: 20, options: { ifExists: { then: 'skip' } } };
const LIMITS_WITH_CHECK = { limitPerItem: 50, limitPerExecution: 20 };
const FILLED_BY_MODEL = { ...LIMITS, limitPerItem: "={{ $fromAI('max', 'The limit', 'number') }}" };
const OPERATION_ONLY = { resource: 'transaction', operation: 'refund' };

/** Values that the editor stores after a click on "Let the model define this parameter". */
const FILLED_BY_BUTTON = {
  pg_id: {
    __rl: true,
    mode: 'id',
    value: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Transaction', ``, 'string') }}",
  },
  amt_tran: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Amount', ``, 'string') }}",
};
const DESCRIPTION =
  /^Return all or part .* The refund takes effect immediately\. .*never guess them: Transaction \(pg_id\)\. Amount: 0\.01 to 9999999999\.99\. Amounts are in the currency's main unit, never in cents, .* Call once\. .* Action: Refund or void transaction in Payment Platform$/;

/** Test name, tool settings, model input, and expected reason for a refusal. */
type Refusal = [string, ToolSettings, IDataObject, RegExp];

describe(`AI agents in ${version}`, () => {
  let host: AgentHost;
  beforeAll(async () => {
    host = await startAgentHost();
  });
  afterAll(async () => await host.stop());

  describe('tool calls', () => {
    const sale = (environment: 'test' | 'production' = 'test') =>
      host.sandbox.control.addCapturedSales({ count: 1, amountCents: 5000 }, environment)[0] ?? '';
    const refund = (transaction: string, amount = 10, note = 'S1') => ({ transaction, amount, note });
    const sent = () => host.sandbox.control.journal({ operationId: 'refund' });
    const applied = () => sent().filter((entry) => entry.applied !== null);
    const fault = (rule: FaultRule) => void host.sandbox.control.addFault({ operationId: 'refund', ...rule });
    afterEach(() => host.sandbox.control.clearFaults());

    /** Checks that the documentation quotes each result, and that none prompts a repeated call. */
    async function read(ask: Way['ask'], tool: ToolSettings, turns: Turns): Promise<IDataObject[]> {
      host.sandbox.control.clearJournal();
      const texts = await ask(host, tool, turns);
      for (const text of texts) expect(text).not.toMatch(INVITES);
      const items = texts.map(onlyItem);
      for (const { result } of items) if (result) expect(agentsPage).toContain(asWritten(result as string));
      return items;
    }

    test('a model reads the values of a tool in its description, because the editor button adds only labels', async () => {
      const [way] = waysOf[major];
      const tool = { parameters: { ...OPERATION_ONLY, ...LIMITS, ...FILLED_BY_BUTTON } };
      if (way) await read(way.ask, tool, [[{ Transaction: sale(), Amount: '10.00' }]]);
      const { description, parameters } = host.model.described('Refund') ?? {};
      expect(description).toMatch(DESCRIPTION);
      expect(parameters).toMatchObject({
        properties: { Transaction: { type: 'string' }, Amount: { type: 'string' } },
        required: ['Transaction', 'Amount'],
      });
      expect(JSON.stringify(parameters)).not.toContain('description');
      expect(applied()).toHaveLength(1);

      const session = await openMcpSession(`${host.n8n.baseUrl}/${await publishTool(host, tool)}`);
      const [offered] = session.tools;
      expect(offered?.description).toBe(description);
      expect(offered?.inputSchema).toMatchObject({
        properties: { Transaction: { type: 'string' }, Amount: { type: 'string' } },
      });
      expect(JSON.stringify(offered?.inputSchema)).not.toContain('description');
    });

    describe.each(waysOf[major])('an AI agent with $name', ({ ask, askAgain }) => {
      test('the model reads the record of a completed refund', async () => {
        const [item] = await read(ask, { guards: LIMITS }, [[refund(sale())]]);
        expect(item).toMatchObject({ rcode: '000', pg_id: expect.any(String) as string });
        expect(applied()).toHaveLength(1);
      });

      test("after a lost response, the model reads that the outcome is unknown, and Retry On Fail doesn't resend the refund", async () => {
        fault({ kind: 'reset_after_apply' });
        const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
        const guards = { ...LIMITS, options: { ...LIMITS.options, unknownOutcome: 'refuse' } };
        const [item] = await read(ask, { guards, settings }, [[refund(sale())]]);
        expect(item?.result).toMatch(/^OUTCOME UNKNOWN\. Do not call again\. The request may have been applied/);
        expect(sent()).toHaveLength(1);
        expect(applied()).toHaveLength(1);
      });

      test('the model reads DONE BEFORE after an equal call with different wording', async () => {
        const id = sale();
        const items = await read(ask, { guards: LIMITS }, [[refund(id)], [refund(id)], [refund(id, 10, 'S2')]]);
        expect(items).toHaveLength(3);
        expect(items[0]).toMatchObject({ rcode: '000' });
        for (const item of items.slice(1)) {
          expect(item).toMatchObject({ outcome: 'doneBefore', pg_id: items[0]?.pg_id });
          expect(item.result).toMatch(/^DONE BEFORE\./);
        }
        expect(sent()).toHaveLength(1);
      });

      test('the service applies only one of two equal parallel calls', async () => {
        const id = sale();
        const items = await read(ask, { guards: LIMITS }, [[refund(id), refund(id)]]);
        expect(items.filter(({ result }) => result === undefined)).toHaveLength(1);
        expect(items.filter(({ outcome }) => outcome === 'doneBefore' || outcome === 'unknown')).toHaveLength(1);
        expect(sent()).toHaveLength(1);
      });

      test('the model reads that the service declined a refund', async () => {
        fault({ kind: 'status', status: 402, code: '005' });
        const [item] = await read(ask, { guards: LIMITS }, [[refund(sale())]]);
        expect(item?.result).toMatch(/^DECLINED\. Nothing was changed\./);
        expect(sent()).toHaveLength(1);
        expect(applied()).toHaveLength(0);
      });

      test('the model reads that the service rejected a refund without processing it', async () => {
        fault({ kind: 'rate_limited', retryAfterSeconds: 3600 });
        const [item] = await read(ask, { guards: LIMITS }, [[refund(sale())]]);
        expect(item?.result).toMatch(/^NOT DONE\. Nothing was changed\./);
        expect(sent()).toHaveLength(1);
        expect(applied()).toHaveLength(0);
      });

      // n8n 2 refuses to publish a workflow with an incomplete node.
      const unsaved: Refusal[] = askAgain
        ? [
            ['with only an operation', { parameters: OPERATION_ONLY }, {}, /"Transaction" is required/],
            ['without limits', {}, {}, /"Limit per Item" must be set/],
          ]
        : [];
      test.each<Refusal>([
        ['whose limit it fills', { guards: FILLED_BY_MODEL }, { max: 999 }, /"Limit per Item" must be a fixed value/],
        ['over its limit', { guards: { ...LIMITS, limitPerItem: 9 } }, {}, /"Limit per Item" allows at most 9/],
        ...unsaved,
      ])(
        'the model reads the reason if a tool %s refuses a call before sending a request',
        async (_, tool, more, reason) => {
          const [item] = await read(ask, tool, [[tool.parameters ? {} : { ...refund(sale()), ...more }]]);
          expect(item?.result).toMatch(/^REFUSED\. Nothing was sent/);
          expect(item?.result).toMatch(reason);
          expect(host.sandbox.control.journal()).toEqual([]);
        },
      );

      test('the model reads that the tool refuses Production unless the user allows Production', async () => {
        const [item] = await read(ask, { guards: LIMITS, production: true }, [[refund(sale('production'))]]);
        expect(item?.result).toMatch(/^REFUSED\. .*"Test Environment Only" allows only the test environment/);
        expect(host.sandbox.control.journal()).toEqual([]);
      });

      test('the tool completes two of four refunds of 10 with a limit of 20', async () => {
        const turns = Array.from({ length: 4 }, () => [refund(sale())]);
        const items = await read(ask, { guards: LIMITS }, turns);
        expect(items).toHaveLength(4);
        for (const item of items.slice(2))
          expect(item.result).toMatch(/^REFUSED\. .*"Limit per Execution" allows 20 in total\. The total so far is 20/);
        expect(applied()).toHaveLength(2);
      });

      test('the model reads that the report has a refund from an earlier execution', async () => {
        const id = sale();
        const [first] = await read(ask, { guards: LIMITS_WITH_CHECK }, [[refund(id)]]);
        expect(first).toMatchObject({ rcode: '000' });
        const [second] = await read(ask, { guards: LIMITS_WITH_CHECK }, [[refund(id)]]);
        expect(second?.result).toMatch(/^REFUSED\. .*A matching record already exists: pg_id /);
        expect(second?.pg_id).toBe(first?.pg_id);
        expect(sent()).toEqual([]);
      });

      test('the tool ignores earlier executions if the user chooses Skip the Check', async () => {
        const id = sale();
        for (let execution = 0; execution < 2; execution += 1)
          expect(await read(ask, { guards: LIMITS }, [[refund(id)]])).toMatchObject([{ rcode: '000' }]);
      });

      if (askAgain)
        test('the tool makes no payment twice if the user retries the execution', async () => {
          const [item] = await read(askAgain, { guards: LIMITS }, [[refund(sale())]]);
          expect(item).toMatchObject({ rcode: '000' });
          expect(sent()).toHaveLength(1);
        });
    });
  });

  function onlyItem(text: string): IDataObject {
    const [item = {}] = JSON.parse(text) as IDataObject[];
    return item;
  }

  for (const describePart of [describeMcpKeys, describeSupportAgent, describeRefundApproval]) describePart(() => host);
});
