import { readCardNumber } from './cards';

const YEARS_LONGER = 3;
const NEW_NUMBER = '5105105105105100';

/** Card issuer's response to the account updater. Reason code 200 means an unchanged card. */
export interface IssuerResponse {
  reason_code: '200' | '201' | '202' | '203' | '204';
  card_number_new?: string;
  exp_date_new?: string;
}

/** Issuer responses by test card (sandbox.md). */
const RESPONSES: Record<string, IssuerResponse['reason_code']> = {
  '411111xxxxxx1111': '201',
  '555555xxxxxx4444': '202',
  '601111xxxxxx1117': '203',
  '371449xxxxx2376': '204',
};

export function issuerResponse({ masked, exp_date }: { masked: string; exp_date: string | undefined }): IssuerResponse {
  const reason_code = RESPONSES[masked] ?? '200';
  if (reason_code !== '201' && reason_code !== '202') return { reason_code };
  return {
    reason_code,
    ...(reason_code === '202' && { card_number_new: replacement()?.masked }),
    ...(exp_date !== undefined && { exp_date_new: laterExpiration(exp_date) }),
  };
}

export const replacement = () => readCardNumber(NEW_NUMBER);

function laterExpiration(expiration: string): string {
  const year = String((Number(expiration.slice(2)) + YEARS_LONGER) % 100).padStart(2, '0');
  return `${expiration.slice(0, 2)}${year}`;
}
