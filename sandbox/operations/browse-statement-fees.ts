import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { feeViews } from '../views/settlements';

/** Reports the fees of each month, latest first. */
export const browseStatementFees: Handler<'browseStatementFees'> = (call) =>
  reportAnswer(feeViews(call.environment.ownSettlements()), call, 'billing_month');
