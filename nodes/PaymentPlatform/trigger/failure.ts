import { NodeApiError, type INode } from 'n8n-workflow';

import type { Failure } from '../pipeline/types';

/**
 * What makes n8n register a webhook anew, in both versions: n8n 2 skips what has not changed since it was published
 * (docs/n8n.md#webhook-life-cycle).
 */
export const AGAIN = 'Then deactivate the workflow and activate it again (in n8n 2: unpublish and publish it).';

/**
 * The error with which an activation fails: what was tried, the service's own words, and what to do.
 * @param doing e.g. "register the webhook".
 */
export function registrationError(
  node: INode,
  doing: string,
  { message, advice, said, httpStatus }: Failure,
): NodeApiError {
  const text = `The service did not ${doing}: ${message}`;
  const own = said === undefined ? '' : `The service said: ${said}`;
  const error = new NodeApiError(
    node,
    { message: text },
    {
      message: text,
      description: [advice, hint(message), AGAIN].filter(Boolean).join(' '),
      httpCode: httpStatus === undefined ? undefined : String(httpStatus),
    },
  );
  // n8n replaces messages in which it finds the name of a system error (docs/n8n.md#items-and-errors); ours says it
  // already, and better.
  error.message = [text, advice.replace(/\.$/, ''), own].filter(Boolean).join('. ');
  error.messages = [];
  return error;
}

/** On a refused value the message names the field (docs/service.md#families). */
function hint(message: string): string {
  if (/notification_url/.test(message))
    return "Set n8n's environment variable WEBHOOK_URL to the public address of this n8n, which begins with https://, and restart n8n.";
  if (/events/.test(message)) return 'Correct "Other Event Names": the service takes the names that it knows only.';
  if (/webhook_node/.test(message)) return 'Correct the option "Watched Merchant ID".';
  if (/email_address/.test(message)) return 'Correct the option "Email Addresses".';
  return '';
}
