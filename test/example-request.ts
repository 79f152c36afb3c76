import { bodyOf, describedOperation, resolve } from '../interface/generate/interface-document';

export interface ExampleRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

export function exampleRequest(operationId: string): ExampleRequest {
  const { parameters = [], requestBody } = describedOperation(operationId);
  const placed = (place: string) =>
    Object.fromEntries(
      parameters
        .map(resolve)
        .filter(({ in: where, required, example }) => where === place && required === true && example !== undefined)
        .map(({ name, example }) => [name, String(example)]),
    );
  return {
    path: placed('path'),
    query: placed('query'),
    body: Object(bodyOf(requestBody).example ?? {}) as object & Record<string, unknown>,
  };
}
