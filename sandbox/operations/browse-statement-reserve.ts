import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { reserveView } from '../views/settlements';

/** Reports the reserve entry of each closed batch, latest first. */
export const browseStatementReserve: Handler<'browseStatementReserve'> = (call) =>
  reportAnswer(call.environment.ownSettlements().map(reserveView), call, 'batch_date');
