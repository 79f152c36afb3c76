import { InterfaceDocument, type ContractOperation } from '../sandbox/contract/document';
import { createValidators, type OperationValidator } from '../sandbox/contract/validator';

export const document = new InterfaceDocument();

const create = createValidators(document);
const known = new Map<ContractOperation, OperationValidator>();

export function validatorOf(operation: ContractOperation): OperationValidator {
  const validator = known.get(operation) ?? create(operation);
  known.set(operation, validator);
  return validator;
}

/** Result of checking a response against the interface description. */
export interface HeldAnswer {
  isSuccess: boolean;
  problems: string[];
}

/** Patterns that occur only in successful responses. */
const SUCCESS = /"code":0|"rcode":"(?:000|085)"|"verified_date"/;

/** Checks a response against the interface description. */
export function heldAnswer(operation: ContractOperation, status: number, text: string): HeldAnswer {
  const saysSuccess = SUCCESS.test(text);
  if (status !== 200) return { isSuccess: false, problems: saysSuccess ? [`says success with status ${status}`] : [] };
  const problems = validatorOf(operation).answer(JSON.parse(text));
  return { isSuccess: saysSuccess, problems: problems.map(({ field, message }) => `${field || 'body'} ${message}`) };
}
