import type { IDataObject } from 'n8n-workflow';

import type { Host } from './host';
import { openMcpSession } from './mcp-client';

const TOOL = 'Refund';
/** Tool settings with which only the deduplication key prevents a duplicate refund. */
export const KEY_ONLY = {
  limitPerItem: 50,
  limitPerExecution: 1000,
  allowEqual: true,
  options: {
    ifExists: { then: 'skip' },
    oncePerKey: "={{ $fromAI('idempotency_key', 'ID of this refund in your system', 'string') }}",
  },
};

export const refund = (transaction: string, key: string, amount = 10): IDataObject => ({
  transaction,
  amount,
  note: 'S1',
  idempotency_key: key,
});
export const newSale = ({ sandbox }: Host) =>
  sandbox.control.addCapturedSales({ count: 1, amountCents: 50_000 }, 'test')[0] ?? '';
export const refunds = ({ sandbox }: Host) => sandbox.control.journal({ operationId: 'refund' });

/** Returns whether a tool's response shows that this call sent a refund. */
export const isSent = (text: string): boolean => text.includes('"rcode":"000"') && !text.includes('DONE BEFORE');
export const call = async (url: string, args: IDataObject) => await (await openMcpSession(url)).call(TOOL, args);

/** Calls the tool at all URLs at the same time, each with its own MCP session. */
export async function callAtOnce(urls: string[], args: IDataObject): Promise<string[]> {
  const sessions = await Promise.all(urls.map(async (url) => await openMcpSession(url)));
  return await Promise.all(sessions.map(async (session) => await session.call(TOOL, args)));
}

export async function inTurn<Input>(inputs: Input[], task: (input: Input) => Promise<string>): Promise<string[]> {
  const texts: string[] = [];
  for (const input of inputs) texts.push(await task(input));
  return texts;
}
