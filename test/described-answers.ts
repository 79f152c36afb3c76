import { InterfaceDocument, type ContractOperation } from '../sandbox/contract/document';
import { createValidators, type OperationValidator } from '../sandbox/contract/validator';

export const document = new InterfaceDocument();

const create = createValidators(document);
const known = new Map<ContractOperation, OperationValidator>();

/** Returns the validator of an operation. The function compiles each validator only once. */
export function validatorOf(operation: ContractOperation): OperationValidator {
  const validator = known.get(operation) ?? create(operation);
  known.set(operation, validator);
  return validator;
}

/** Result of checking a response against the interface description. */
export interface HeldAnswer {
  /** Whether the response reports success. */
  isSuccess: boolean;
  /** Deviations of the response from the interface description. */
  problems: string[];
}

/**
 * Parts of a successful response: code 0 of the platform, an approval of the gateway, or the date of a verification.
 */
const SUCCESS = /"code":0|"rcode":"(?:000|085)"|"verified_date"/;

/**
 * Checks a response against the interface description, which describes responses with status 200.
 * @param text response body as received.
 */
export function heldAnswer(operation: ContractOperation, status: number, text: string): HeldAnswer {
  const saysSuccess = SUCCESS.test(text);
  if (status !== 200) return { isSuccess: false, problems: saysSuccess ? [`says success with status ${status}`] : [] };
  const problems = validatorOf(operation).answer(JSON.parse(text));
  return { isSuccess: saysSuccess, problems: problems.map(({ field, message }) => `${field || 'body'} ${message}`) };
}
