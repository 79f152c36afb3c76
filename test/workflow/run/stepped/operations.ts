import type { IDataObject } from 'n8n-workflow';

import { amount } from '../../../../nodes/PaymentPlatform/fields/kinds/number';
import { text } from '../../../../nodes/PaymentPlatform/fields/kinds/text';
import type { FieldPlace } from '../../../../nodes/PaymentPlatform/fields/types';
import type {
  FieldValues,
  Operation,
  RequestDeclaration,
  Resource,
} from '../../../../nodes/PaymentPlatform/model/types';
import type { Failure } from '../../../../nodes/PaymentPlatform/model/failure';
import { asText } from '../../../../nodes/PaymentPlatform/shared/objects';
import { operationOf } from '../../../unit/requests';

const words = (name: string, required = false, place: FieldPlace = 'body') => ({
  ...text({ name, label: name, description: name, maxLength: 64, required, notIdentifying: false }),
  place,
});

const platform = (
  method: 'POST' | 'PUT',
  path: string,
  effect: RequestDeclaration['effect'] = 'writesOnce',
): RequestDeclaration => ({ method, path, family: 'platform', effect });

const addPlan = platform('POST', '/platform/plan');
const updatePlan = platform('PUT', '/platform/plan/{plan_code}');
const updateCustomer = platform('PUT', '/platform/vault/customer/{customer_id}');
const setPrimary = platform('PUT', '/platform/vault/customer/{customer_id}/billing/primary');

const planFields = [
  words('plan_code', true),
  words('plan_name'),
  amount({ name: 'amt_tran', label: 'Amount', description: 'Amount', required: true, money: true }),
];

const plan = (value: string, steps: Operation['steps']): Operation =>
  operationOf({
    value,
    name: value,
    request: addPlan,
    fields: planFields,
    sameObject: 'plan_code',
    money: 'named',
    steps,
  });

const findPlan = ({ body }: FieldValues) => ({
  path: `/platform/plan/${asText(body.plan_code)}`,
  family: 'platform' as const,
  list: { identity: 'plan_id' },
});

const without = (record: IDataObject, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** Creates a missing plan, updates one that differs, and leaves a matching one unchanged. */
const upsertPlan = plan('upsert', {
  sends: [addPlan, updatePlan],
  each: [
    {
      look: findPlan,
      decide: ([found], { body }) => {
        if (!found) return { request: { to: addPlan, body } };
        if (found.status !== 'E') return { refuse: `The plan ${asText(body.plan_code)} is archived` };
        const wanted = without(body, 'plan_code');
        if (Object.entries(wanted).every(([name, value]) => found[name] === value)) return { done: found };
        return { request: { to: updatePlan, path: { plan_code: body.plan_code }, body: wanted } };
      },
    },
  ],
});

/** Defective operation that tries to move more money than the item specifies. */
const greedyPlan = plan('greedy', {
  sends: [addPlan],
  each: [{ decide: (_, { body }) => ({ request: { to: addPlan, body: { ...body, amt_setup: 1000 } } }) }],
});

/** Defective operation that sends the full amount twice. */
const twicePlan = plan('twice', {
  sends: [addPlan],
  each: ['A', 'B'].map((suffix) => ({
    decide: (_: IDataObject[], { body }: FieldValues) => ({
      request: { to: addPlan, body: { ...body, plan_code: `${asText(body.plan_code)}${suffix}` } },
    }),
  })),
});

/** Defective operation that tries to send an undeclared request. */
const strayPlan = plan('stray', {
  sends: [addPlan],
  each: [{ decide: (_, { body }) => ({ request: { to: updatePlan, path: { plan_code: 'OTHER' }, body } }) }],
});

/** Defective operation that reads a property of a missing record. */
const brokenPlan = plan('broken', {
  sends: [addPlan],
  each: [{ look: findPlan, decide: ([found]) => ({ done: { name: (found?.plan_name as string).trim() } }) }],
});

const notFound = ({ code }: Failure) => code === 11;

const customerFields = [words('customer_id', true, 'path'), words('customer_phone'), words('comments')];
const findCustomer = ({ path }: FieldValues) => ({
  path: `/platform/vault/customer/${asText(path.customer_id)}`,
  family: 'platform' as const,
  absent: notFound,
});

/** Sends all fields of a customer, because the service replaces the whole record. */
const complete: NonNullable<Operation['steps']>['each'][number] = {
  look: findCustomer,
  unchanged: true,
  decide: ([found], { body }) =>
    found
      ? { request: { to: updateCustomer, body: { ...without(found, 'customer_id'), ...without(body, 'card_id') } } }
      : { refuse: 'There is no such customer' },
};

const customer = (value: string, more: Partial<Operation>): Operation =>
  operationOf({
    value,
    name: value,
    request: updateCustomer,
    fields: customerFields,
    lookUp: 'Look for the customer {customer_id}.',
    ...more,
  });

const updateCompleted = customer('update', { steps: { sends: [updateCustomer], each: [complete] } });

const updateAndCharge = customer('updateWithCard', {
  fields: [...customerFields, words('card_id', true)],
  steps: {
    sends: [updateCustomer, setPrimary],
    each: [
      complete,
      {
        look: ({ path }) => ({
          path: `/platform/vault/customer/${asText(path.customer_id)}/billing/primary`,
          family: 'platform',
        }),
        decide: ([found], { body }, [before]) => {
          if (before?.customer_id === undefined) return { refuse: 'The step before told nothing' };
          if (found?.card_id === body.card_id) return { done: { customer_id: before.customer_id, ...found } };
          return { request: { to: setPrimary, body: { card_id: body.card_id } } };
        },
      },
    ],
  },
});

/** Test resource whose operations look up records before writing. Some operations are defective. */
export const stepped: Resource = {
  value: 'stepped',
  name: 'Stepped',
  description: 'Operations in steps',
  preselected: upsertPlan.value,
  operations: [upsertPlan, greedyPlan, twicePlan, strayPlan, brokenPlan, updateCompleted, updateAndCharge],
};
