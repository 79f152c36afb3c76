import { readCardNumber } from './cards';

/** Number of years added to the expiration of an updated card. */
const YEARS_LONGER = 3;
/** Public test number that replaces another one. */
const NEW_NUMBER = '5105105105105100';

/** Response of an issuer to a card. A reason code of 200 means that nothing changed. */
export interface IssuerResponse {
  reason_code: '200' | '201' | '202' | '203' | '204';
  card_number_new?: string;
  exp_date_new?: string;
}

/** Responses of the issuers by test card. The sandbox defines them (sandbox.md). */
const RESPONSES: Record<string, IssuerResponse['reason_code']> = {
  '411111xxxxxx1111': '201',
  '555555xxxxxx4444': '202',
  '601111xxxxxx1117': '203',
  '371449xxxxx2376': '204',
};

/** Returns the response of the issuer to a card. */
export function issuerResponse({ masked, exp_date }: { masked: string; exp_date: string | undefined }): IssuerResponse {
  const reason_code = RESPONSES[masked] ?? '200';
  if (reason_code !== '201' && reason_code !== '202') return { reason_code };
  return {
    reason_code,
    ...(reason_code === '202' && { card_number_new: replacement()?.masked }),
    ...(exp_date !== undefined && { exp_date_new: laterExpiration(exp_date) }),
  };
}

/** Returns the card that replaces another one. */
export const replacement = () => readCardNumber(NEW_NUMBER);

function laterExpiration(expiration: string): string {
  const year = String((Number(expiration.slice(2)) + YEARS_LONGER) % 100).padStart(2, '0');
  return `${expiration.slice(0, 2)}${year}`;
}
