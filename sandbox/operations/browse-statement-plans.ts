import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { planViews } from '../views/settlements';

/** Reports the totals of each month and card type, latest first. */
export const browseStatementPlans: Handler<'browseStatementPlans'> = (call) =>
  reportAnswer(planViews(call.environment.ownSettlements()), call, 'billing_month');
