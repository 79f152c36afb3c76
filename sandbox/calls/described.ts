import type { InterfaceDocument } from '../contract/document';
import type { OperationId } from '../contract/types';
import { createValidators } from '../contract/validator';
import { noSuchResource } from '../core/refusals';
import type { Handler } from './call';
import type { Operation } from './operation';

export type Handlers = { [Id in OperationId]: Handler<Id> };

/** Combines the operations of openapi.yaml with their handlers. */
export function describedOperations(document: InterfaceDocument, handlers: Handlers): Operation[] {
  const validators = createValidators(document);
  const byId = new Map(Object.entries(handlers));
  return document.operations.map((description) => {
    const { operationId, method, path, family, managesWebhooks } = description;
    const validator = validators(description);
    const handler = byId.get(operationId);
    return {
      operationId,
      method,
      path,
      family,
      checks: {
        path: (values) => validator.parameters('path', values),
        query: (values) => validator.parameters('query', values),
        body: (body) => validator.body(body),
      },
      recordFields: document.recordFields(operationId),
      managesWebhooks,
      apply: (call) => {
        if (!handler) throw noSuchResource('URL');
        // The validator has checked that the call matches the handler's type.
        return handler(call as never);
      },
    };
  });
}
