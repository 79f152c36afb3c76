import type { ReferenceCall, ReferenceOperation } from '../calls/reference-operation';
import { refusalOf } from '../contract/problems';
import { schemaCheck } from '../contract/validator';
import type { SandboxControl } from '../control/control';
import { noSuchResource } from '../core/refusals';
import { invoiceDetail } from '../operations/get-invoice-detail';
import { updaterResultList } from '../operations/get-updater-results';
import type { Environment } from '../state/environment';
import { MANAGEMENT } from '../webhooks/management';
import type { Apply } from './exchange';

/** The operations beside the document's own. */
export const REFERENCE_OPERATIONS: readonly ReferenceOperation[] = [...MANAGEMENT, invoiceDetail, updaterResultList];

/** Checks and applies such an operation. Those of webhooks are missing from an account without them. */
export function applyReference(
  operation: ReferenceOperation,
  environment: Environment,
  control: SandboxControl,
): Apply {
  const { schemas } = operation;
  const managesWebhooks = MANAGEMENT.includes(operation);
  const checkPath = schemaCheck(schemas.path, 'parameters');
  const checkQuery = schemaCheck(schemas.query, 'parameters');
  const checkBody = schemaCheck(schemas.body, 'body');
  return (request) => {
    if (managesWebhooks && !control.webhookManagement) throw noSuchResource('URL');
    const path = { ...(request.params as object) };
    const query = { ...(request.query as object) };
    const body = request.body ?? {};
    const problems = [...checkPath(path), ...checkQuery(query), ...checkBody(body)];
    if (problems.length > 0) throw refusalOf('platform', problems);
    // The schemas have just made it what the operation declares.
    return {
      status: 200,
      body: operation.apply({ environment, path, query, body } as ReferenceCall<never, never, never>),
    };
  };
}
