import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { batchView } from '../views/settlements';

/** Reports closed batches, latest first (openapi.yaml#browseBatches). */
export const browseBatches: Handler<'browseBatches'> = (call) =>
  reportAnswer(call.environment.ownSettlements().map(batchView), call, 'batch_date');
