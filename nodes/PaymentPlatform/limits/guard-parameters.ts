import type { INodeProperties } from 'n8n-workflow';

import type { DayRecords } from '../model/day-records';
import { GUARDS, type Guard } from '../model/guards';

const called = (name: Guard) => ({ displayName: GUARDS[name], name });

const unknownOutcome: INodeProperties = {
  ...called('unknownOutcome'),
  type: 'options',
  options: [
    {
      name: 'Look Up the Record',
      value: 'lookUp',
      description:
        'The node searches the service for the record up to three times. If the node finds the record, the item succeeds. Otherwise, the item fails, and the node does not send the item again.',
    },
    {
      name: 'Fail Immediately',
      value: 'refuse',
      description: 'The item fails without a search. The node does not send the item again.',
    },
    {
      name: 'Resolve Items',
      value: 'resolve',
      description:
        "Adds the option 'Resolve Items', in which you enter your findings about individual items. The node searches for the records of all other items.",
    },
    {
      name: 'Send Again',
      value: 'resend',
      description:
        'If a retry reads the list of records and finds none for the item, the node sends the item again. The record can still appear later, so money can move twice. The node never sends a payment again whose record it cannot look up.',
    },
  ],
  default: 'lookUp',
  description:
    'Action for an item whose outcome is unknown, e.g. because the connection broke before the response. The node can find only records that the service lists.',
};

const testEnvironmentOnly: INodeProperties = {
  ...called('testEnvironmentOnly'),
  type: 'boolean',
  default: true,
  description: 'Whether to refuse a credential for Production. Leave this on while you build a workflow.',
};

const previewOnly: INodeProperties = {
  ...called('previewOnly'),
  type: 'boolean',
  default: true,
  displayOptions: { show: { '@tool': [false] } },
  description:
    'Whether to show what the node would send, and send nothing. The node reads, checks and looks up everything as for a real run. It stores nothing and uses no limit and no key. To preview only some items, use an expression, e.g. {{ $json.dryRun }}.',
};

/** Uses a relative condition, because n8n drops a parameter whose condition starts at the root (n8n.md#parameters). */
const resolve: INodeProperties = {
  ...called('resolve'),
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Item',
  default: {},
  displayOptions: { show: { unknownOutcome: ['resolve'] } },
  description:
    'Your findings about items with an unknown outcome. The error message contains the code of each item. A code belongs to one attempt, so remove it afterwards.',
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
          description: 'Code from the error message of the item',
        },
        {
          displayName: 'Finding',
          name: 'finding',
          type: 'options',
          options: [
            {
              name: 'Applied: Do Not Send Again',
              value: 'applied',
              description: 'You found the record. The node reports the item as done.',
            },
            {
              name: 'Not Applied: Send Again',
              value: 'notApplied',
              description:
                'Choose this if you found no record, or if you changed the item and want to send it in addition to the original. The node searches for a record of the item again. If there is none, the node sends the item once.',
            },
          ],
          default: 'applied',
          description: 'Result of your search for the record at the service',
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
    'Highest amount of an item, e.g. 500. The node refuses an item with a higher or unknown amount before sending anything. The amount is unknown for a subscription on a plan and for an item with Extra Body Fields.',
};

const limitPerExecution: INodeProperties = {
  ...called('limitPerExecution'),
  type: 'string',
  default: '',
  placeholder: 'e.g. 2000',
  description:
    'Maximum total of all payments that this node sends in one execution, e.g. 2000. Loop iterations and retries count toward the total, and all tools of an AI agent share one total. The node refuses an item that would exceed the total.',
};

const oncePerKey: INodeProperties = {
  ...called('oncePerKey'),
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.dealId }}',
  description:
    'Text that identifies the payment in your own system, e.g. the ID of a deal. If this workflow already completed the same payment with the key, the node returns its record. If the key belongs to another payment, the item fails. n8n keeps the latest 10,000 keys of a workflow. In a tool, let the caller provide the key.',
};

const allowEqual: INodeProperties = {
  ...called('allowEqual'),
  type: 'boolean',
  default: false,
  description:
    'Whether to send a payment again that this node sent in another execution within the last 10 minutes. If this is off, a manual execution in Production refuses the payment.',
};

/** @param dayRecords missing if the node counts its own requests. */
export const describeLimitPerDay = (dayRecords?: DayRecords): string =>
  dayRecords
    ? `Highest total of all ${dayRecords.of} in a day, e.g. 5000, including transactions outside n8n. The node adds up the amounts in ${dayRecords.where}.`
    : 'Highest total of all payments that this node sends in a day, e.g. 5000.';

const limitPerDay = (dayRecords?: DayRecords): INodeProperties => ({
  ...called('limitPerDay'),
  type: 'string',
  default: '',
  placeholder: 'e.g. 5000',
  description: `${describeLimitPerDay(dayRecords)} The day begins at midnight in the time zone of the workflow.`,
});

const existsAction: INodeProperties = {
  displayName: 'Action',
  name: 'then',
  type: 'options',
  options: [
    {
      name: 'Return the Existing Record',
      value: 'return',
      description: 'The item succeeds and returns the existing record. Recommended for scheduled workflows.',
    },
    { name: 'Fail', value: 'fail', description: 'The item fails with a message that names the existing record' },
    { name: 'Skip the Check', value: 'skip', description: 'The node sends the item without a search' },
  ],
  default: 'return',
  description: 'Behavior if the service already has a matching record',
};

const existsSince: INodeProperties = {
  displayName: 'Look Back To',
  name: 'since',
  type: 'dateTime',
  default: '',
  placeholder: 'e.g. {{ $now.minus({ days: 7 }) }}',
  description:
    'Earliest time of the records to search. Defaults to 24 hours ago, or to no limit if a number, such as an invoice number, identifies the record.',
};

/** Uses a collection, because n8n 1 would drop a fixed collection that contains only defaults (n8n.md#parameters). */
const ifExists = (hasTime: boolean): INodeProperties => ({
  ...called('ifExists'),
  type: 'collection',
  placeholder: 'Add Field',
  default: { then: 'return' },
  options: [existsAction, ...(hasTime ? [existsSince] : [])],
  description:
    'Behavior if the service already has a matching record, e.g. because this workflow ran before. The node searches before it sends the item.',
});

/**
 * @param found records that the option "If It Already Exists" can find.
 * @param dayRecords missing if the service's report doesn't show the operation's amounts.
 */
export const guardParameters = ({
  moves,
  pays,
  found,
  dayRecords,
  hasKey,
}: {
  moves: boolean;
  pays?: boolean;
  found?: { hasTime: boolean };
  dayRecords?: DayRecords;
  hasKey?: boolean;
}): INodeProperties[] => [
  unknownOutcome,
  previewOnly,
  testEnvironmentOnly,
  resolve,
  ...(hasKey ? [oncePerKey] : []),
  ...(moves ? [limitPerItem, limitPerExecution, limitPerDay(dayRecords)] : []),
  ...(pays ? [allowEqual] : []),
  ...(found ? [ifExists(found.hasTime)] : []),
];
