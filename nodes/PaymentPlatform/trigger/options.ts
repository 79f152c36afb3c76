import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { asText } from '../pipeline/objects';
import { chosenEvents } from './events';
import type { SignaturePolicy } from './verification';

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
  split: boolean;
  enrich: boolean;
}

const MEBIBYTE = 1024 * 1024;
const DEFAULT_MEBIBYTES = 5;

/** Reads the parameters. A value that means nothing is taken for the safe one. */
export function readReceiveOptions(context: IWebhookFunctions): ReceiveOptions {
  const given = context.getNodeParameter('options', {}) as IDataObject;
  const mebibytes = Number(given.maxDeliverySize ?? DEFAULT_MEBIBYTES);
  const { signature } = given;
  const events = chosenEvents(
    context.getNodeParameter('events', []) as string[],
    asText(context.getNodeParameter('customEvents', '')),
  );
  return {
    ...(events && { events }),
    signature: signature === 'required' || signature === 'off' ? signature : 'whenPresent',
    signatureHeader: asText(given.signatureHeader),
    verifyCredentials: given.verifyCredentials !== false,
    mostBytes: (mebibytes > 0 ? mebibytes : DEFAULT_MEBIBYTES) * MEBIBYTE,
    split: given.split === true,
    enrich: context.getNodeParameter('enrich', false) === true,
  };
}
