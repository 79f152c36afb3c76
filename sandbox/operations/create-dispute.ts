import type { Handler } from '../calls/call';
import { toServiceDay } from '../core/clock';
import { success } from '../core/envelopes';
import { toAmount } from '../core/money';
import { PlatformRefusal, invalidFields } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';

/** Card scheme reason codes for which the sandbox creates test data. */
const REASONS: Readonly<Record<string, string>> = {
  '10.4': 'Other Fraud - Card Absent Environment',
  '11.3': 'No Authorization',
  '12.5': 'Incorrect Amount',
  '13.1': 'Merchandise or Services Not Received',
  '13.3': 'Not as Described or Defective',
  '13.7': 'Canceled Merchandise or Services',
};

const DISPUTED_CENTS = 4_999;

/**
 * Creates test disputes: one for the given reason code, or one for each known code (service.md#disputes). The disputes
 * have no effect on any transaction in the sandbox.
 */
export const createDispute: Handler<'createDispute'> = ({ environment, path, query }) => {
  if (environment.name === 'production')
    throw new PlatformRefusal(6, 'Test data can be created in the test environment only', 403);
  const merchantId = platformMerchant(environment, path.merchantId);
  const asked = query?.reasonCode;
  if (asked !== undefined && !(asked in REASONS))
    throw invalidFields({ reasonCode: `must be one of ${Object.keys(REASONS).join(', ')}` });
  const today = environment.clock.now();
  const disputes = (asked === undefined ? Object.keys(REASONS) : [asked]).map((reason_code) => {
    const rec_id = environment.ids.nextNumber('dispute', 11_001);
    return {
      rec_id,
      merchant_id: Number(merchantId),
      incoming_date: toServiceDay(today),
      amt_tran: toAmount(DISPUTED_CENTS),
      amt_dispute: toAmount(DISPUTED_CENTS),
      reason_code,
      reason_desc: REASONS[reason_code],
      data_type: 'C',
      cbr_workflow: 'A',
      status: 'N',
      date_status_change: toServiceDay(today),
      card_number: '411111xxxxxx1111',
      tran_date: toServiceDay(today.minus({ days: 30 })),
      reference_number: `R${rec_id}`,
      cb_ref_num: `CB${rec_id}`,
      cb_ref_num_assoc: rec_id,
    };
  });
  return success(disputes);
};
