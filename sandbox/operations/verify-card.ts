import type { Handler } from '../calls/call';
import type { Body } from '../contract/types';
import { GatewayRefusal } from '../core/refusals';
import { readCharge, useToken } from '../rules/gateway-charges';
import { DECLINED } from '../rules/sandbox-amounts';
import type { Environment } from '../state/environment';

/** Issuer code for "no reason to decline" (service.md#codes). */
const VERIFIED = '085';
/** ZIP code and security code that the sandbox reports as mismatches. */
const OTHER_ZIP = '99999';
const OTHER_CODE = '000';

/** Verifies a card or bank account without charging it. */
export const verifyCard: Handler<'verifyCard'> = ({ environment, body }) => {
  const request = readCharge(environment, { ...body, amt_tran: 0 });
  const { source } = request;
  const pg_id = environment.ids.nextText('pg_id');
  const rcode = source.declines ? DECLINED : request.declinedWith;
  if (rcode !== undefined) throw new GatewayRefusal(rcode, 'Decline', 402, pg_id);
  const auth_code = approvalCode(environment);
  useToken(environment, request);
  const card_id = body.tokenize && body.card_id === undefined ? environment.ids.nextText('card_id') : undefined;
  if (card_id !== undefined)
    environment.tokens.set(card_id, {
      card_id,
      merchant_id: request.merchantId,
      source,
      cardholder_name: body.cardholder_name,
    });
  return {
    rcode: VERIFIED,
    rmsg: `No reason to decline ${auth_code}`,
    pg_id,
    card_number: source.masked,
    card_id,
    auth_code,
    ...(source.card_type !== 'AP' && { auth_avs_result: avsOf(body), auth_cvv2_result: cvvOf(body) }),
    echo_fields: body.echo_fields,
  };
};

const approvalCode = (environment: Environment): string =>
  `T${String(environment.ids.nextNumber('authorization', 10_001)).padStart(5, '0')}`;

function avsOf({ avs_address: street, avs_zip: zip }: Body<'verifyCard'>): string {
  if (zip === undefined) return 'U';
  if (zip === OTHER_ZIP) return street === undefined ? 'N' : 'A';
  return street === undefined ? 'Z' : 'Y';
}

const cvvOf = ({ cvv2 }: Body<'verifyCard'>): string => (cvv2 === undefined ? 'P' : cvv2 === OTHER_CODE ? 'N' : 'M');
