import type { Family } from '../core/envelopes';
import { maskText } from '../core/redact';
import { GatewayRefusal, invalidFields, type PlatformRefusal } from '../core/refusals';
import type { Problem } from './validator';

/** Response codes of invalid fields (service.md#codes). Other fields use code 100. */
const FIELD_CODES: Readonly<Record<string, string>> = {
  amt_tran: '104',
  exp_date: '107',
  card_number: '108',
  tran_currency: '114',
  email_address: '116',
  tr_number: '119',
  dda_number: '119',
};

export function refusalOf(family: Family, problems: readonly Problem[]): GatewayRefusal | PlatformRefusal {
  const first = problems[0];
  if (family === 'gateway') return new GatewayRefusal(gatewayCode(first), gatewayMessage(problems));
  return invalidFields(Object.fromEntries(problems.map(({ field, message }) => [maskText(field || 'body'), message])));
}

function gatewayCode(problem: Problem | undefined): string {
  if (!problem || ['additionalProperties', 'unevaluatedProperties', 'required', 'type'].includes(problem.rule))
    return '100';
  if (problem.rule === 'maxLength') return '109';
  return FIELD_CODES[problem.field.replace(/\[.*$/, '')] ?? '100';
}

function gatewayMessage(problems: readonly Problem[]): string {
  return `Invalid request: ${problems.map(({ field, message }) => `${maskText(field || 'body')} ${message}`).join('; ')}`;
}
