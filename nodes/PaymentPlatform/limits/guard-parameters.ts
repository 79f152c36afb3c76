import type { INodeProperties } from 'n8n-workflow';

import type { DayBudget } from '../model/day-budget';

/** Labels of the options that guard money, by name. */
export const GUARDS = {
  allowEqual: 'Allow Equal Payments',
  duplicateCheck: 'Duplicate Check',
  ifExists: 'If It Exists Already',
  makeReference: 'Make a Reference',
  duplicatesSince: 'Duplicate Check Since',
  unknownOutcome: 'If the Outcome Is Unknown',
  oncePerKey: 'Once per Key',
  limitPerItem: 'Limit per Item',
  limitPerDay: 'Limit per Day',
  limitPerExecution: 'Limit per Execution',
  testEnvironmentOnly: 'Test Environment Only',
  resolve: 'Resolve Items',
} as const;

export type Guard = keyof typeof GUARDS;

const isGuard = (name: string): name is Guard => name in GUARDS;

export const GUARD_NAMES: readonly Guard[] = Object.keys(GUARDS).filter(isGuard);

/** Returns the label and name of a guard's parameter. */
const called = (name: Guard) => ({ displayName: GUARDS[name], name });

const unknownOutcome: INodeProperties = {
  ...called('unknownOutcome'),
  type: 'options',
  options: [
    {
      name: 'Refuse to Send Again',
      value: 'refuse',
      description: 'The item fails until somebody looked up what became of it',
    },
    {
      name: 'Send Again',
      value: 'resend',
      description: 'The item is sent again even though it may have been applied: money can move twice',
    },
  ],
  default: 'refuse',
  description:
    'What to do when n8n tries the node again (Retry On Fail, or a retry of the execution) and nobody knows whether an item was applied, e.g. because the connection broke before the answer',
};

const testEnvironmentOnly: INodeProperties = {
  ...called('testEnvironmentOnly'),
  type: 'boolean',
  default: true,
  description: 'Whether the node refuses a credential for Production. Turn this on while you build a workflow.',
};

const resolve: INodeProperties = {
  ...called('resolve'),
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Item',
  default: {},
  description:
    'What you found out about items that an earlier try left open. The error message names the code of each of them.',
  options: [
    {
      displayName: 'Item',
      name: 'item',
      values: [
        {
          displayName: 'Code',
          name: 'code',
          type: 'string',
          default: '',
          placeholder: 'e.g. 3-k7Qx',
          description: 'The code of the item, as the error message gives it',
        },
        {
          displayName: 'What Became of It',
          name: 'became',
          type: 'options',
          options: [
            {
              name: 'It Was Applied: Do Not Send It',
              value: 'applied',
              description: 'You found its record. The item counts as done.',
            },
            {
              name: 'It Was Not Applied: Send It',
              value: 'notApplied',
              description:
                'You found no record of it, or the item was changed and is meant once more. The node looks for a record once more. If there is none, it sends the item once.',
            },
          ],
          default: 'applied',
          description: 'What you found when you looked the item up',
        },
      ],
    },
  ],
};

const limitPerItem: INodeProperties = {
  ...called('limitPerItem'),
  type: 'string',
  default: '',
  placeholder: 'e.g. 500',
  description:
    'Highest amount of an item, e.g. 500. The node refuses an item with a higher or unknown amount before it sends anything. The amount is unknown for a subscription on a plan and for an item with Extra Body Fields.',
};

const limitPerExecution: INodeProperties = {
  ...called('limitPerExecution'),
  type: 'string',
  default: '',
  placeholder: 'e.g. 2000',
  description:
    'Highest total of all payments of this node in one execution, e.g. 2000. All loop rounds and attempts count. The node refuses the item that would exceed the total.',
};

const oncePerKey: INodeProperties = {
  ...called('oncePerKey'),
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.dealId }}',
  description:
    'What the item is about, e.g. the ID of a deal. An item whose key was done before, by any execution of this workflow, fails and nothing is sent. n8n keeps the latest 10,000 keys of a workflow.',
};

const limitPerDay = ({ of, where }: DayBudget): INodeProperties => ({
  ...called('limitPerDay'),
  type: 'string',
  default: '',
  placeholder: 'e.g. 5000',
  description: `Highest total of all ${of} of a day, e.g. 5000, including those made outside n8n. The node reads them from ${where} and refuses the item that would exceed the total. The day begins at midnight in the time zone of the workflow.`,
});

const duplicateCheck: INodeProperties = {
  ...called('duplicateCheck'),
  type: 'boolean',
  default: true,
  description:
    "Whether to look in the transaction report, before each refund, for a refund of the same transaction with the same amount in the last 24 hours, or since the time in 'Duplicate Check Since'. If there is one, the item fails and nothing is sent.",
};

const ifExists: INodeProperties = {
  ...called('ifExists'),
  type: 'options',
  options: [
    {
      name: 'Return What Exists',
      value: 'return',
      description:
        'The item is done with the record that is there. Recommended for a workflow that runs on a schedule.',
    },
    { name: 'Fail', value: 'fail', description: 'The item fails' },
    { name: 'Send Anyway', value: 'send', description: 'Nobody looks' },
  ],
  default: 'return',
  description:
    "What to do when the service has an equal one already, e.g. because this workflow ran before: nothing is sent then. It counts when it is of the last 24 hours, or since the time in 'Duplicate Check Since'; for what has a number of its own, such as an invoice, at any time.",
};

const makeReference: INodeProperties = {
  ...called('makeReference'),
  type: 'boolean',
  default: true,
  description:
    'Whether to send a reference of 20 letters and digits where you give no number of your own. It is the same in every try of an item, and by it the node finds for sure what became of an item whose answer got lost.',
};

const duplicatesSince: INodeProperties = {
  ...called('duplicatesSince'),
  type: 'dateTime',
  default: '',
  placeholder: 'e.g. {{ $now.minus({ days: 1 }) }}',
  description:
    "From when on an equal one counts that the service has already: the same transaction and amount of a refund, or the same customer and number of an invoice. If there is one, a refund fails and nothing is sent, unless 'If It Exists Already' says what to do.",
};

/**
 * Returns the guards among the options of a write. Each argument adds the guards for its kind of operation: `moves` for
 * operations that move money, `hasKey` for items with a request each, `budget` for a daily limit, `isFound` for records
 * that the node can find at the service, `isNamed` for records with a reference, and `checksDuplicates` for Duplicate
 * Check.
 */
export const guardParameters = ({
  moves,
  isFound,
  isNamed,
  checksDuplicates,
  budget,
  hasKey,
}: {
  moves: boolean;
  isFound?: boolean;
  isNamed?: boolean;
  checksDuplicates?: boolean;
  budget?: DayBudget;
  hasKey?: boolean;
}): INodeProperties[] => [
  unknownOutcome,
  testEnvironmentOnly,
  resolve,
  ...(hasKey ? [oncePerKey] : []),
  ...(moves ? [limitPerItem, limitPerExecution] : []),
  ...(budget ? [limitPerDay(budget)] : []),
  ...(isFound ? [ifExists, duplicatesSince] : []),
  ...(isNamed ? [makeReference] : []),
  ...(checksDuplicates ? [duplicateCheck] : []),
];
