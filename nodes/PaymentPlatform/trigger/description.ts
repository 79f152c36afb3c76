import type { IExecuteFunctions, INodeProperties, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { FURTHER, chosenEvents, eventParameters, wantsAll } from '../fields/events';
import { inVersions, propertiesAt } from '../panel/parameters-in-versions';
import { asText, objectIn } from '../shared/objects';
import { type Held, TRIGGER_VERSIONS } from '../shared/versions';
import { type EventFilter, filterOptions, readFilter } from './filters';
import type { SignaturePolicy } from './signature';

const options: INodeProperties[] = [
  {
    displayName: 'Email Addresses',
    name: 'email_address',
    type: 'string',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Email Address' },
    default: [],
    placeholder: 'e.g. billing@example.com',
    description: 'Email addresses to notify if the service suspends the webhook after repeated failures',
  },
  {
    displayName: 'Emit Failed Events Again',
    name: 'emitFailed',
    type: 'boolean',
    default: false,
    description:
      'Whether catch-up emits an event again if its execution did not succeed, e.g. because n8n was killed. If this is off, a notice or a failed execution names these events.',
  },
  {
    displayName: 'Label',
    name: 'label',
    type: 'string',
    default: '',
    placeholder: 'e.g. Paid invoices to CRM',
    description: 'Name of the webhook in the merchant portal. Defaults to the name of the workflow.',
  },
  {
    displayName: 'Max Age (Minutes)',
    name: 'maxAge',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 600,
    description:
      'Maximum age of an event. The trigger rejects older events to prevent replays of recorded deliveries. The trigger reads event times as UTC, so the default leaves room for Pacific time. If your account sends event times in UTC, enter 120. Enter 0 to accept events of any age.',
  },
  {
    displayName: 'Max Delivery Size (MB)',
    name: 'maxDeliverySize',
    type: 'number',
    typeOptions: { minValue: 0.01, maxValue: 16 },
    default: 5,
    description:
      'Maximum size of a delivery. The trigger rejects larger deliveries. n8n accepts at most 16 MB by default.',
  },
  {
    displayName: 'Signature',
    name: 'signature',
    type: 'options',
    options: [
      {
        name: 'Off',
        value: 'off',
        description:
          'Accept deliveries without checking the signature. The content could have been changed in transit.',
      },
      {
        name: 'Required',
        value: 'required',
        description:
          'Accept only deliveries with a valid signature. The trigger rejects all deliveries until it has a security key.',
      },
      {
        name: 'When Present',
        value: 'whenPresent',
        description:
          'Reject deliveries with an invalid signature, but accept deliveries without a signature. The trigger does not check signatures until it has a security key.',
      },
    ],
    default: 'required',
    description:
      'Signature check for deliveries. A valid signature proves that the service sent the content and that the content did not change in transit.',
  },
  {
    displayName: 'Signature Header Name',
    name: 'signatureHeader',
    type: 'string',
    default: '',
    placeholder: 'e.g. x-example-webhook-signature',
    description:
      'Name of the header that contains the signature. Defaults to any header that matches x-…-webhook-signature.',
  },
  {
    displayName: 'Split Into Items',
    name: 'split',
    type: 'boolean',
    default: true,
    description: 'Whether to output one item per record when a delivery contains several records',
  },
  {
    displayName: 'Disable Webhooks at Other URLs',
    name: 'switchOffElsewhere',
    type: 'boolean',
    default: false,
    description:
      "Whether to disable this node's webhooks at other URLs, such as a previous URL or a cloned n8n instance. If this is off, the trigger only reports these webhooks.",
  },
  {
    displayName: 'Verify Delivery Credentials',
    name: 'verifyCredentials',
    type: 'boolean',
    default: true,
    description:
      'Whether to accept only deliveries with the user name and password that the trigger generated for this webhook. If this is off, only the signature proves the origin of a delivery.',
  },
  {
    displayName: 'Watched Merchant ID',
    name: 'webhook_node',
    type: 'string',
    default: '',
    placeholder: 'e.g. 123456789012',
    description: 'Merchant to watch. Defaults to the merchant of the API key.',
  },
];

const CATCH_UPS = [
  { name: 'Every 6 Hours', value: 'every6Hours' },
  { name: 'Every Day', value: 'everyDay' },
  { name: 'Every Hour', value: 'everyHour' },
  { name: 'Never', value: 'never' },
  { name: 'On Activation', value: 'onActivation' },
] as const;

/**
 * Returns the parameters in the order in which users fill them in. Fields of the webhook keep the service's names. A
 * function, so that the build leaves the texts out of the runtime.
 */
export const triggerParameters = (): Array<INodeProperties & Held> => [
  {
    displayName:
      'To test, choose "Execute step" and trigger an event. For example, choose "Pay this invoice" on the sandbox page. When you publish the workflow, the trigger registers its webhook, so you don\'t need the merchant portal.',
    name: 'setUpNotice',
    type: 'notice',
    default: '',
  },
  // n8n's guidelines prescribe this label, without a description, for the parameter that selects events.
  ...eventParameters({ displayName: 'Trigger On' }, FURTHER),
  {
    displayName: 'Catch Up',
    name: 'catchUp',
    type: 'options',
    options: [...CATCH_UPS],
    default: 'onActivation',
    description:
      "When to look for events that did not arrive, e.g. while n8n was down. Every schedule includes the activation and the start of n8n. 'On Activation' also includes a look once a week. The service keeps no record of some events, so the trigger can't catch up on checkouts, actions in the merchant portal, subscriptions that end without a payment, and failed payments of invoices that the list of payments omits.",
  },
  {
    displayName: 'Enrich With Record',
    name: 'enrich',
    type: 'boolean',
    default: false,
    description:
      'Whether to retrieve the record that the event is about, and add it to the output as "record". The record contains the current data, which can be newer than the event. For a completed account updater request, the output also contains the result of each card.',
  },
  {
    displayName:
      "Warning: any caller who knows the webhook URL can start this workflow with fake payments. Set 'Signature' to 'Required' or switch on 'Verify Delivery Credentials'.",
    name: 'unverifiedNotice',
    type: 'notice',
    default: '',
    displayOptions: {
      show: { '/options.verifyCredentials': [false], '/options.signature': ['off', 'whenPresent'] },
    },
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options: [...options, ...filterOptions].sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
  },
];

export const triggerProperties = (declared = triggerParameters(), versions = TRIGGER_VERSIONS): INodeProperties[] =>
  inVersions(versions.map((version) => ({ version, properties: propertiesAt(declared, version) })));

export interface ReceiveOptions {
  passes: EventFilter;
  /** Missing if the trigger emits all events. */
  events?: string[];
  signature: SignaturePolicy;
  /** If empty, any header that matches `x-<name>-webhook-signature`. */
  signatureHeader: string;
  verifyCredentials: boolean;
  mostBytes: number;
  /** Maximum age of an event, or 0 for no limit. */
  mostMinutes: number;
}

export interface EmitOptions {
  split: boolean;
  enrich: boolean;
  /** Whether to ignore account updater requests that no node of the workflow submitted. */
  ownRequests: boolean;
  /** Whether to ignore events without a field that an option filters. */
  ignoresWithout: boolean;
}

const MEBIBYTE = 1024 * 1024;
const DEFAULT_MEBIBYTES = 5;
/**
 * One hour of repeated deliveries (service.md#deliveries), eight hours because the time zone isn't documented, and one
 * hour for clock differences.
 */
const DEFAULT_MINUTES = 60 + 8 * 60 + 60;

const POLICIES: Record<string, SignaturePolicy> = { off: 'off', required: 'required', whenPresent: 'whenPresent' };

/** Replaces invalid values with their safe defaults. */
export function readReceiveOptions(context: IWebhookFunctions): ReceiveOptions {
  const given = objectIn(context.getNodeParameter('options', {}));
  const mebibytes = numberIn(given.maxDeliverySize);
  const minutes = numberIn(given.maxAge);
  const selected = context.getNodeParameter('events', []);
  const events = chosenEvents(selected, asText(context.getNodeParameter('customEvents', '')));
  return {
    // With "All Events", the trigger also accepts events that a user added in the merchant portal.
    ...(!wantsAll(selected) && { events }),
    passes: readFilter(given),
    signature: POLICIES[asText(given.signature)] ?? 'required',
    signatureHeader: asText(given.signatureHeader),
    verifyCredentials: given.verifyCredentials !== false,
    mostBytes: (mebibytes || DEFAULT_MEBIBYTES) * MEBIBYTE,
    mostMinutes: minutes ?? DEFAULT_MINUTES,
  };
}

function numberIn(value: unknown): number | undefined {
  const text = asText(value).trim();
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

export type CatchUp = 'never' | 'onActivation' | 'everyHour' | 'every6Hours' | 'everyDay';

export interface CatchUpOptions {
  catchUp: CatchUp;
  /** Missing if the trigger emits all events. */
  events?: string[];
  passes: EventFilter;
  /** Whether catch-up emits events whose execution did not succeed. */
  emitsFailed: boolean;
}

export function readCatchUpOptions(context: IExecuteFunctions | ITriggerFunctions): CatchUpOptions {
  const read = (name: string, fallback: unknown): unknown =>
    'getInputData' in context ? context.getNodeParameter(name, 0, fallback) : context.getNodeParameter(name, fallback);
  const options = objectIn(read('options', {}));
  const selected = read('events', []);
  // The service lists the records of the API key's merchant only.
  const isOwnMerchant = asText(options.webhook_node).trim() === '';
  const given = CATCH_UPS.find(({ value }) => value === read('catchUp', 'onActivation'));
  return {
    catchUp: isOwnMerchant ? (given?.value ?? 'onActivation') : 'never',
    ...(!wantsAll(selected) && { events: chosenEvents(selected, asText(read('customEvents', ''))) }),
    passes: readFilter(options),
    emitsFailed: options.emitFailed === true,
  };
}

export function readEmitOptions(context: IExecuteFunctions): EmitOptions {
  const given = context.getNodeParameter('options', 0, {});
  return {
    split: given.split === true,
    enrich: context.getNodeParameter('enrich', 0, false) === true,
    ownRequests: given.onlyOwnRequests === true,
    ignoresWithout: given.ignoreWithout === true,
  };
}
