import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { planViews } from '../views/settlements';

/** Returns the totals of each month and card type (openapi.yaml#browseStatementPlans), latest first. */
export const browseStatementPlans: Handler<'browseStatementPlans'> = (call) =>
  reportAnswer(planViews(call.environment.ownSettlements()), call, 'billing_month');
