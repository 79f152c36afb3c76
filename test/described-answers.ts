import { InterfaceDocument, type ContractOperation } from '../sandbox/contract/document';
import { createValidators, type OperationValidator } from '../sandbox/contract/validator';

export const document = new InterfaceDocument();

const create = createValidators(document);
const known = new Map<ContractOperation, OperationValidator>();

/** The validator of an operation, made once. */
export function validatorOf(operation: ContractOperation): OperationValidator {
  const validator = known.get(operation) ?? create(operation);
  known.set(operation, validator);
  return validator;
}

/** What the service answered, held against the interface description. */
export interface HeldAnswer {
  /** Whether it says that all went well. */
  isSuccess: boolean;
  /** What of it is not as the interface describes it. */
  problems: string[];
}

/** In the words of each family: platform, gateway, and the one operation without an envelope. */
const SUCCESS = /"code":0|"rcode":"000"|"verified_date"/;

/**
 * Holds an answer against the interface description, which describes those of status 200.
 * @param text the body as it came.
 */
export function heldAnswer(operation: ContractOperation, status: number, text: string): HeldAnswer {
  const saysSuccess = SUCCESS.test(text);
  if (status !== 200) return { isSuccess: false, problems: saysSuccess ? [`says success with status ${status}`] : [] };
  const problems = validatorOf(operation).answer(JSON.parse(text));
  return { isSuccess: saysSuccess, problems: problems.map(({ field, message }) => `${field || 'body'} ${message}`) };
}
