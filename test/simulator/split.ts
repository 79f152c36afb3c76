import { amount } from '../../nodes/PaymentPlatform/fields/kinds/number';
import { text } from '../../nodes/PaymentPlatform/fields/kinds/text';
import type { FieldValues, Look, Operation, Resource } from '../../nodes/PaymentPlatform/model/types';
import { asText, toCents } from '../../nodes/PaymentPlatform/shared/objects';
import * as wire from '../../nodes/PaymentPlatform/wire/operations';
import { operationOf } from '../unit/requests';
import type { OperationName } from './schedule';

export const STEPS = ['refund', 'invoice'] as const;
/** Amount of the invoice in cents. */
const REST = 100;

export const stepsOf = (operation: OperationName): number[] => (operation === 'split' ? [0, 1] : [0]);

/** Returns the amount in cents that a step of an item moves. */
export const centsOf = (operation: OperationName, cents: number, step: number): number =>
  operation === 'updater' ? 0 : operation !== 'split' ? cents : step === 0 ? cents - REST : REST;

const { body } = wire.refund;
const seen = (name: string) => ({ label: name, description: name, notIdentifying: true });

const found = (path: string, filter: string): Look => ({
  path,
  family: 'platform',
  query: { filter: [filter] },
  list: {},
});

const split: Operation = operationOf({
  value: 'split',
  name: 'Split',
  request: wire.refund.request,
  money: ({ values: { body } }) => ({ by: 'line_items' in body ? 'line_items' : 'amt_tran' }),
  fields: [
    text({ ...wire.refund.path.pgIdOrig, ...seen('Sale'), notIdentifying: false }),
    text({ ...wire.createInvoice.body.customer_id, ...seen('Customer'), notIdentifying: false }),
    amount({ ...body.amt_tran, label: 'Amount', description: 'Amount', required: true }),
    text({ ...body.session_id, ...seen('Session') }),
    text({ ...body.loc_id, ...seen('Location') }),
  ],
  steps: {
    sends: [wire.refund.request, wire.createInvoice.request],
    each: [
      {
        look: ({ path }) =>
          found('/platform/reporting/transaction-requests', `pg_id_linked,IS,${asText(path.pgIdOrig)}`),
        decide: (_, { body: { amt_tran, session_id, loc_id } }) => ({
          request: {
            to: wire.refund.request,
            body: {
              amt_tran: (toCents(Number(amt_tran)) - REST) / 100,
              ...(session_id !== undefined && { session_id }),
              ...(loc_id !== undefined && { loc_id }),
            },
          },
        }),
      },
      {
        look: ({ body: { customer_id } }: FieldValues) =>
          found('/platform/vault/customer', `customer_id,IS,${asText(customer_id)}`),
        unchanged: true,
        decide: ([customer], { body: { customer_id } }, [refund]) =>
          customer
            ? {
                request: {
                  to: wire.createInvoice.request,
                  body: {
                    customer_id,
                    line_items: [
                      { quantity: 1, description: `Rest of ${asText(refund?.pg_id)}`, unit_cost: REST / 100 },
                    ],
                  },
                },
              }
            : { refuse: 'There is no such customer' },
      },
    ],
  },
});

export const simulated: Resource = {
  value: 'simulated',
  name: 'Simulated',
  description: 'An item in steps',
  preselected: split.value,
  operations: [split],
};
