import { bodyOf, describedOperation, resolve } from '../docs/generate/interface-document';

/** Values of a request in the path, the query and the body. */
export interface ExampleRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** Returns the example request of an operation in the interface description. The sandbox can process the request. */
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
