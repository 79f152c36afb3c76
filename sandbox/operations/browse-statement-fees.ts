import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { feeViews } from '../views/settlements';

/** Returns the fees of each month (openapi.yaml#browseStatementFees), latest first. */
export const browseStatementFees: Handler<'browseStatementFees'> = (call) =>
  reportAnswer(feeViews(call.environment.ownSettlements()), call, 'billing_month');
