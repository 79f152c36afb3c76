import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { settlementView } from '../views/settlements';

/** Reports one settlement for each closed batch, latest first. */
export const browseSettlements: Handler<'browseSettlements'> = (call) =>
  reportAnswer(call.environment.ownSettlements().map(settlementView), call, 'batch_date');
