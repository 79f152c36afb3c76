import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { batchView } from '../views/settlements';

/** Returns the closed batches (openapi.yaml#browseBatches), latest first. */
export const browseBatches: Handler<'browseBatches'> = (call) =>
  reportAnswer(call.environment.ownSettlements().map(batchView), call, 'batch_date');
