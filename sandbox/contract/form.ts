/** Validation problem of a request. The message never contains the submitted value. */
export interface Problem {
  /**
   * Path of the field, for example `customer.billing_cards[0].card_number`. Empty if the problem concerns the whole
   * body.
   */
  field: string;
  /** JSON Schema keyword that failed, for example `additionalProperties` or `maxLength`. */
  rule: string;
  message: string;
}

/** Uploaded file of a form. The sandbox stores only properties of the content. */
export interface UploadedFile {
  fileName: string;
  mimeType: string;
  bytes: number;
  sha256: string;
  /** First five bytes of the file, as text. */
  start: string;
}

/** Schema of a form field. */
export interface FormField {
  contentMediaType?: string;
  contentSchema?: object;
  'x-max-bytes'?: number;
}

const JSON_TYPE = 'application/json';
/** First bytes that identify a file type. */
const STARTS: Readonly<Record<string, string>> = { 'application/pdf': '%PDF-' };

const isFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'sha256' in value;

/** Replaces the files of a form with empty strings, so that the schema can check the form. */
export const withoutFiles = (form: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, isFile(value) ? '' : value]));

/**
 * Checks the number, type, content and size of a form's files. Also checks the JSON in text fields.
 * @param checkJson checks a value against a schema.
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
