import type { IExecuteFunctions } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';

/**
 * n8n 1 answers a call before it has stored the execution: a process killed in between loses an event that the service
 * counts as delivered. There, the execution answers, by n8n's own "Respond to Webhook". n8n 2 stores it first. Of a
 * version that can't be told the safe one is assumed.
 */
const isStoredFirst = 'WEBHOOK_RESOLVERS' in n8n;

export const responseMode = isStoredFirst ? 'onReceived' : 'responseNode';

/** Answers the call that started this execution, where n8n leaves that to it. */
export async function acknowledge(context: IExecuteFunctions): Promise<void> {
  if (isStoredFirst) return;
  await context.sendResponse({ body: { received: true }, headers: {}, statusCode: 200 });
}
