/** Validation problem in a request. Never contains the submitted value. */
export interface Problem {
  /** Path of the field, for example `customer.billing_cards[0].card_number`. Empty for the whole body. */
  field: string;
  rule: string;
  message: string;
}

export interface UploadedFile {
  fileName: string;
  mimeType: string;
  bytes: number;
  sha256: string;
  start: string;
}

export interface FormField {
  contentMediaType?: string;
  contentSchema?: object;
  'x-max-bytes'?: number;
}

const JSON_TYPE = 'application/json';
const STARTS: Readonly<Record<string, string>> = { 'application/pdf': '%PDF-' };

const isFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'sha256' in value;

/** Replaces uploaded files with empty strings, so that a JSON schema can validate the form. */
export const withoutFiles = (form: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, isFile(value) ? '' : value]));

/**
 * Validates a form's files and the JSON in its text fields.
 * @param checkJson validates a value against a schema.
 */
export function formProblems(
  form: Record<string, unknown>,
  fields: Readonly<Record<string, FormField>>,
  checkJson: (schema: object, value: unknown) => Problem[],
): Problem[] {
  return Object.entries(fields).flatMap(([name, field]): Problem[] => {
    const value = form[name];
    if (value === undefined || field.contentMediaType === undefined) return [];
    if (field.contentMediaType === JSON_TYPE) return jsonProblems(name, value, field, checkJson);
    const message = isFile(value) ? fileProblem(value, field) : 'must be one file';
    return message === undefined ? [] : [{ field: name, rule: 'file', message }];
  });
}

function fileProblem(file: UploadedFile, { contentMediaType = '', 'x-max-bytes': most = Infinity }: FormField) {
  if (file.mimeType !== contentMediaType || file.start !== (STARTS[contentMediaType] ?? file.start))
    return `must be of the type ${contentMediaType}`;
  if (file.bytes === 0) return 'must not be empty';
  return file.bytes > most ? `must have at most ${most} bytes` : undefined;
}

function jsonProblems(
  name: string,
  value: unknown,
  { contentSchema = {} }: FormField,
  checkJson: (schema: object, value: unknown) => Problem[],
): Problem[] {
  try {
    const problems = checkJson(contentSchema, JSON.parse(String(value)));
    return problems.map((problem) => ({ ...problem, field: [name, problem.field].filter(Boolean).join('.') }));
  } catch {
    return [{ field: name, rule: 'type', message: 'must be JSON' }];
  }
}
