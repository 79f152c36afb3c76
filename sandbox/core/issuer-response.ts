import { readCardNumber } from './cards';

/** Number of years between the old and the new expiration of an updated card. */
const YEARS_LONGER = 3;
/** Public test number that replaces the number of an updated card. */
const NEW_NUMBER = '5105105105105100';

/** Response of a card issuer to the account updater. Reason code 200 means that the card didn't change. */
export interface IssuerResponse {
  reason_code: '200' | '201' | '202' | '203' | '204';
  card_number_new?: string;
  exp_date_new?: string;
}

/** Issuer responses by test card, as defined in sandbox.md. */
const RESPONSES: Record<string, IssuerResponse['reason_code']> = {
  '411111xxxxxx1111': '201',
  '555555xxxxxx4444': '202',
  '601111xxxxxx1117': '203',
  '371449xxxxx2376': '204',
};

/** Returns the issuer's response for a card. */
export function issuerResponse({ masked, exp_date }: { masked: string; exp_date: string | undefined }): IssuerResponse {
  const reason_code = RESPONSES[masked] ?? '200';
  if (reason_code !== '201' && reason_code !== '202') return { reason_code };
  return {
    reason_code,
    ...(reason_code === '202' && { card_number_new: replacement()?.masked }),
    ...(exp_date !== undefined && { exp_date_new: laterExpiration(exp_date) }),
  };
}

/** Returns the card that replaces an updated card. */
export const replacement = () => readCardNumber(NEW_NUMBER);

function laterExpiration(expiration: string): string {
  const year = String((Number(expiration.slice(2)) + YEARS_LONGER) % 100).padStart(2, '0');
  return `${expiration.slice(0, 2)}${year}`;
}
