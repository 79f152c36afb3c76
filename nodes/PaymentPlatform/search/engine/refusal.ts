import { NodeApiError, type INode } from 'n8n-workflow';

import { withoutLookUp } from '../../messages/describe-answers';
import type { Failure } from '../../model/failure';

const INSTEAD = 'Until then choose "By ID" and enter the ID.';

/** Codes of the platform (service.md#codes). */
const CREDENTIALS = 11;
const NO_ACCESS = 6;

/** What a person reads in place of a list: what is wrong, and what to do. */
function wordsFor(failure: Failure, of: string, secret: string): [string, string] {
  const { outcome, message, advice, httpStatus, code } = failure;
  if (httpStatus === 429)
    return ['The service gets too many requests right now', `Wait a moment and open the list again. ${INSTEAD}`];
  if (httpStatus === 403 || code === NO_ACCESS)
    return [
      `This account is not allowed to list ${of}`,
      `Ask your provider to allow it for the ${secret} in the credential. ${INSTEAD}`,
    ];
  if (httpStatus === 401 || code === CREDENTIALS)
    return [
      'The service does not accept this credential',
      `Open the credential and compare Environment, Base URL, Merchant ID and ${secret} with what your provider gave you. ${INSTEAD}`,
    ];
  if (outcome === 'notSent' || httpStatus === undefined)
    return [
      'The service can not be reached',
      `${message}. Look at the Base URL in the credential and at the network, then open the list again. ${INSTEAD}`,
    ];
  return [message, [withoutLookUp(advice, 'Open the list again.'), INSTEAD].filter(Boolean).join(' ')];
}

/**
 * The error of a list in the editor, where there is no item.
 * @param secret what the credential holds, as it was chosen
 */
export function listRefused(node: INode, failure: Failure, of: string, secret: string): NodeApiError {
  const [message, description] = wordsFor(failure, of, secret);
  return said(node, message, description, failure.httpStatus);
}

/** n8n shows no list without a credential; whoever asks all the same reads this. */
export const noCredential = (node: INode): NodeApiError =>
  said(node, 'No credential is chosen', 'Choose or create a credential at the top of the node, then open the list.');

/**
 * An error whose description reaches the editor. The editor takes a dash in the message for the end of a sentence, and
 * offers the credential beside a status of 401 or 403 (n8n.md#lists-in-the-editor).
 */
export function said(node: INode, message: string, description: string, httpStatus?: number): NodeApiError {
  const httpCode = httpStatus === undefined ? {} : { httpCode: String(httpStatus) };
  const error = new NodeApiError(node, { message }, { message, description, ...httpCode });
  // n8n puts words of its own in place of a message in which it finds the name of a system error.
  error.message = message;
  error.description = description;
  return error;
}
