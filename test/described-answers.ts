import { InterfaceDocument, type ContractOperation } from '../sandbox/contract/document';
import { createValidators, type OperationValidator } from '../sandbox/contract/validator';

export const document = new InterfaceDocument();

const create = createValidators(document);
const known = new Map<ContractOperation, OperationValidator>();

/** Returns the validator of an operation, which is compiled once. */
export function validatorOf(operation: ContractOperation): OperationValidator {
  const validator = known.get(operation) ?? create(operation);
  known.set(operation, validator);
  return validator;
}

/** A response of the service with its deviations from the interface description. */
export interface HeldAnswer {
  /** Whether the response reports success. */
  isSuccess: boolean;
  /** Deviations from the interface description. */
  problems: string[];
}

/** Success marks of the families: platform, gateway (085 approves a verification), and the operation without an envelope. */
const SUCCESS = /"code":0|"rcode":"(?:000|085)"|"verified_date"/;

/**
 * Checks a response against the interface description, which covers status 200.
 * @param text body as received.
 */
export function heldAnswer(operation: ContractOperation, status: number, text: string): HeldAnswer {
  const saysSuccess = SUCCESS.test(text);
  if (status !== 200) return { isSuccess: false, problems: saysSuccess ? [`says success with status ${status}`] : [] };
  const problems = validatorOf(operation).answer(JSON.parse(text));
  return { isSuccess: saysSuccess, problems: problems.map(({ field, message }) => `${field || 'body'} ${message}`) };
}
