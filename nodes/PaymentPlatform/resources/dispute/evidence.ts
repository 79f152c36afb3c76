import type { IDataObject } from 'n8n-workflow';
import { openChoice } from '../../fields/kinds/choice';
import { calendarDate } from '../../fields/kinds/date';
import { group } from '../../fields/kinds/group';
import { nameList } from '../../fields/kinds/multiple-values';
import { amount } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import { isEmpty } from '../../fields/value';
import type { ObjectFact } from '../../wire/facts';
import { DisputeResponseData } from '../../wire/schemas';

const { message, reference_number, reason_desc, download_description, download_timestamp } = DisputeResponseData;

const code = { matches: /^\w{1,16}$/, allowed: 'must be a code of letters and digits, e.g. CE' };

/** Required fields (service.md#disputes). */
const NEEDED: ReadonlyArray<readonly [field: string, code: string, needs: Readonly<Record<string, string>>]> = [
  ['cbr_ce_type', 'CE04', { download_description: 'Download Description', download_timestamp: 'Download Time' }],
  ['cbr_ce_type', 'CE09', { tran_date: 'Transaction Date', amt_purch: 'Purchase Amount' }],
  ['cbr_id_type', 'IDRC3', { cancellation_date: 'Cancellation Date' }],
  ['cbr_id_type', 'IDRC25', { reason_desc: 'Reason' }],
];

const checkNeeded = (evidence: IDataObject): Problem[] =>
  NEEDED.filter(([field, value]) => evidence[field] === value).flatMap(([, value, needs]) =>
    Object.entries(needs)
      .filter(([name]) => isEmpty(evidence[name]))
      .map(([, label]) => ({ label, found: 'nothing', allowed: `is required for the type ${value}` })),
  );

export const evidenceDetails = (fact: ObjectFact): Field =>
  group({
    ...fact,
    type: 'object',
    label: 'Response',
    description: 'Details of the response. Add the fields that the response type requires.',
    itemLabel: 'Response',
    topLevel: true,
    notIdentifying: true,
    fields: [
      text({ ...message, label: 'Message', rows: 3, description: 'Explanation of the evidence for the issuer' }),
      openChoice(
        {
          ...DisputeResponseData.cbr_response_type,
          label: 'Response Type',
          description: 'Type of response',
          pattern: code,
        },
        { options: [{ name: 'Compelling Evidence', value: 'CE' }], default: 'CE' },
      ),
      openChoice(
        {
          ...DisputeResponseData.cbr_ce_type,
          label: 'Compelling Evidence Type',
          description: 'Type of compelling evidence. Each type requires different fields.',
          pattern: code,
        },
        {
          options: [
            {
              name: 'Digital Goods Download',
              value: 'CE04',
              description: "Requires 'Download Description' and 'Download Time'",
            },
            {
              name: 'Earlier Undisputed Payments',
              value: 'CE09',
              description: "Requires the 'Transaction Date' and the 'Purchase Amount' of an undisputed payment",
            },
          ],
          default: 'CE09',
        },
      ),
      openChoice(
        {
          ...DisputeResponseData.cbr_id_type,
          label: 'Reason for Invalidity',
          description: 'Reason why the dispute is invalid. Each reason requires different fields.',
          pattern: code,
        },
        {
          options: [
            { name: 'Customer Canceled', value: 'IDRC3', description: "Requires 'Cancellation Date'" },
            { name: 'Other Reason', value: 'IDRC25', description: "Requires 'Reason'" },
          ],
          default: 'IDRC25',
        },
      ),
      text({ ...reason_desc, label: 'Reason', description: 'Reason why the dispute is invalid, in your own words' }),
      calendarDate({
        ...DisputeResponseData.cancellation_date,
        label: 'Cancellation Date',
        description: 'Day of the cancellation',
      }),
      text({
        ...download_description,
        label: 'Download Description',
        description: 'Description of the downloaded product',
      }),
      text({
        ...download_timestamp,
        label: 'Download Time',
        description: 'Time at which the customer downloaded the product',
        placeholder: 'e.g. 2026-03-31T10:15:00Z',
      }),
      calendarDate({
        ...DisputeResponseData.tran_date,
        label: 'Transaction Date',
        description: 'Day of the undisputed payment',
      }),
      amount({
        ...DisputeResponseData.amt_purch,
        label: 'Purchase Amount',
        description: 'Amount of the undisputed payment',
      }),
      amount({
        ...DisputeResponseData.amt_tran,
        label: 'Amount',
        description: 'Amount that you returned to the customer',
      }),
      text({
        ...reference_number,
        label: 'Reference Number',
        description: 'Reference number of the credited or undisputed transaction',
      }),
      calendarDate({
        ...DisputeResponseData.batch_date,
        label: 'Batch Date',
        description: 'Day of the batch with the credited transaction',
      }),
      nameList({
        ...DisputeResponseData.ce_indicators,
        label: 'Evidence Indicators',
        description: 'Codes for the evidence, separated by commas',
      }),
    ],
    example: { message: 'The customer signed for the delivery', cbr_response_type: 'CE' },
    rule: checkNeeded,
    encode: (response) => JSON.stringify(response),
  });
