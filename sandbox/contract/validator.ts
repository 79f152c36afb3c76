import type { ErrorObject, ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import { formProblems, withoutFiles, type FormField, type Problem } from './form';
import type { ContractOperation, InterfaceDocument } from './document';

const DOCUMENT_KEY = 'interface';

export type { Problem };

/** Validates the requests and responses of one operation against openapi.yaml. */
export interface OperationValidator {
  /** Converts text values to the types in the schema, in place. */
  parameters(place: 'path' | 'query', values: Record<string, unknown>): Problem[];
  body(body: unknown): Problem[];
  answer(body: unknown): Problem[];
}

type Validators = (operation: ContractOperation) => OperationValidator;

/** Sandboxes share validators, because validators store no request data. */
const compiled = new WeakMap<object, Validators>();

/** Returns validators for a document's operations, compiled on first use. */
export function createValidators({ root }: InterfaceDocument): Validators {
  const validators = compiled.get(root) ?? compileValidators(root);
  compiled.set(root, validators);
  return validators;
}

function compileValidators(root: object): Validators {
  const exact = createAjv(root, false);
  const coercing = createAjv(root, 'array');
  const known = new Map<string, OperationValidator>();
  const compile: Validators = (operation) => {
    const path = parameterValidator(coercing, operation, 'path');
    const query = parameterValidator(coercing, operation, 'query');
    const body = lazily(() => exact.compile(operation.bodyPointer ? reference(operation.bodyPointer) : emptyObject()));
    const answer = lazily(() => exact.compile(operation.responsePointer ? reference(operation.responsePointer) : {}));
    return {
      parameters: (place, values) => problemsOf(place === 'path' ? path() : query(), values),
      body: (value) => (operation.form ? ofForm(operation.form, body(), value) : ofJson(operation, body(), value)),
      answer: (value) => problemsOf(answer(), value),
    };
  };
  return (operation) => {
    const validator = known.get(operation.operationId) ?? compile(operation);
    known.set(operation.operationId, validator);
    return validator;
  };
}

function ofJson({ bodyRequired }: ContractOperation, validate: ValidateFunction, value: unknown): Problem[] {
  return problemsOf(validate, value ?? (bodyRequired ? undefined : {}));
}

function ofForm(fields: Record<string, FormField>, validate: ValidateFunction, value: unknown): Problem[] {
  if (typeof value !== 'object' || value === null) return [{ field: '', rule: 'type', message: 'must be a form' }];
  const form = value as Record<string, unknown>;
  const problems = problemsOf(validate, withoutFiles(form));
  if (problems.length > 0) return problems;
  return formProblems(form, fields, checkJson);
}

function checkJson(schema: object, value: unknown): Problem[] {
  return problemsOf(new Ajv2020({ strict: false, allErrors: true, logger: false }).compile(schema), value);
}

function createAjv(root: object, coerceTypes: false | 'array'): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes, multipleOfPrecision: 8, logger: false });
  addFormats(ajv);
  return ajv.addSchema(root, DOCUMENT_KEY);
}

function parameterValidator(
  ajv: Ajv2020,
  operation: ContractOperation,
  place: 'path' | 'query',
): () => ValidateFunction {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  return lazily(() =>
    ajv.compile({
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, schemaPointer }) => [name, reference(schemaPointer)])),
      required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
      additionalProperties: false,
    }),
  );
}

function reference(pointer: string): { $ref: string } {
  return { $ref: `${DOCUMENT_KEY}${pointer}` };
}

function emptyObject(): object {
  return { type: 'object', additionalProperties: false };
}

function lazily<Result>(create: () => Result): () => Result {
  let result: Result | undefined;
  return () => (result ??= create());
}

function problemsOf(validate: ValidateFunction, value: unknown): Problem[] {
  return validate(value) ? [] : readErrors(validate.errors ?? []);
}

/** Skips errors of oneOf, anyOf and if, because the errors of their branches are more precise. */
function readErrors(errors: readonly ErrorObject[]): Problem[] {
  const combinations = ['oneOf', 'anyOf', 'if'];
  const precise = errors.filter((error) => !combinations.includes(error.keyword));
  return (precise.length > 0 ? precise : errors).map(toProblem);
}

function toProblem(error: ErrorObject): Problem {
  const parent = fieldPath(error.instancePath);
  const params = error.params as {
    additionalProperty?: string;
    unevaluatedProperty?: string;
    missingProperty?: string;
  };
  const unknown = params.additionalProperty ?? params.unevaluatedProperty;
  if (unknown !== undefined)
    return { field: join(parent, unknown), rule: error.keyword, message: 'is not a known field' };
  if (params.missingProperty !== undefined)
    return { field: join(parent, params.missingProperty), rule: error.keyword, message: 'is required' };
  const allowed = (error.params as { allowedValues?: unknown[] }).allowedValues;
  const message = allowed ? `must be one of ${allowed.join(', ')}` : (error.message ?? 'is not valid');
  return { field: parent, rule: error.keyword, message };
}

function fieldPath(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '');
}

function join(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
