import { ExecutionLimit } from '../../../nodes/PaymentPlatform/limits/execution-limit';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';

/** Records a write as the node does before it sends the write. */
export const sendWithinLimit = (memory: WriteMemory, request: PlannedRequest): Failure | undefined =>
  new ExecutionLimit(memory).take(request) ?? memory.sending(request);
