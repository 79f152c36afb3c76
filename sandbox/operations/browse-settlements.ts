import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { settlementView } from '../views/settlements';

/** Returns the settlement report (openapi.yaml#browseSettlements) with one record per closed batch, latest first. */
export const browseSettlements: Handler<'browseSettlements'> = (call) =>
  reportAnswer(call.environment.ownSettlements().map(settlementView), call, 'batch_date');
