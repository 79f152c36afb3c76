import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { chosenEvents, wantsAll } from '../fields/events';
import { asText, objectIn } from '../shared/objects';
import type { SignaturePolicy } from './signature';

/** The parameters that matter when a call arrives. */
export interface ReceiveOptions {
  /** None: every event. */
  events?: string[];
  signature: SignaturePolicy;
  /** The header to look at; any `x-<name>-webhook-signature` when empty. */
  signatureHeader: string;
  verifyCredentials: boolean;
  /** Longest body, in bytes. */
  mostBytes: number;
  /** Oldest event, in minutes; 0 for any. */
  mostMinutes: number;
}

/** The parameters that matter when an event is handed on. */
export interface EmitOptions {
  split: boolean;
  enrich: boolean;
}

const MEBIBYTE = 1024 * 1024;
const DEFAULT_MEBIBYTES = 5;
/**
 * The service repeats a delivery for an hour unless its portal is set otherwise (service.md#deliveries). Its time zone is
 * not documented: in Pacific time an event looks up to 8 hours older than it is. One more hour is for clocks that differ.
 */
const DEFAULT_MINUTES = 600;

const POLICIES: Record<string, SignaturePolicy> = { off: 'off', required: 'required', whenPresent: 'whenPresent' };

/** Reads the parameters. A value that means nothing is taken for the safe one. */
export function readReceiveOptions(context: IWebhookFunctions): ReceiveOptions {
  const given = objectIn(context.getNodeParameter('options', {}));
  const mebibytes = numberIn(given.maxDeliverySize);
  const minutes = numberIn(given.maxAge);
  const selected = context.getNodeParameter('events', []);
  const events = chosenEvents(selected, asText(context.getNodeParameter('customEvents', '')));
  return {
    // An event that was added to the webhook in the portal is wanted too.
    ...(!wantsAll(selected) && { events }),
    signature: POLICIES[asText(given.signature)] ?? 'required',
    signatureHeader: asText(given.signatureHeader),
    verifyCredentials: given.verifyCredentials !== false,
    mostBytes: (mebibytes || DEFAULT_MEBIBYTES) * MEBIBYTE,
    mostMinutes: minutes ?? DEFAULT_MINUTES,
  };
}

/** Returns the number of zero or more that a value writes; `undefined` for anything else, such as empty text. */
function numberIn(value: unknown): number | undefined {
  const text = asText(value).trim();
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

export function readEmitOptions(context: IExecuteFunctions): EmitOptions {
  const given = context.getNodeParameter('options', 0, {});
  return { split: given.split === true, enrich: context.getNodeParameter('enrich', 0, false) === true };
}
