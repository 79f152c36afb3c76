import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { depositViews } from '../views/settlements';

/** Reports deposits to the bank account, latest first. */
export const browseDeposits: Handler<'browseDeposits'> = (call) =>
  reportAnswer(call.environment.ownSettlements().flatMap(depositViews), call, 'post_date_actual');
