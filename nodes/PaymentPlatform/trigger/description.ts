import type { INodeProperties } from 'n8n-workflow';

import { eventParameters, FURTHER } from '../fields/events';
import { inVersions, propertiesAt } from '../panel/parameters-in-versions';
import { TRIGGER_VERSIONS, type Held } from '../shared/versions';

const options: INodeProperties[] = [
  {
    displayName: 'Email Addresses',
    name: 'email_address',
    type: 'string',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Email Address' },
    default: [],
    placeholder: 'e.g. billing@example.com',
    description: 'Who is told when the service suspends the webhook because its calls keep failing',
  },
  {
    displayName: 'Label',
    name: 'label',
    type: 'string',
    default: '',
    placeholder: 'e.g. Paid invoices to CRM',
    description: 'Name of the webhook in the merchant portal. The name of the workflow unless given.',
  },
  {
    displayName: 'Max Age (Minutes)',
    name: 'maxAge',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 600,
    description:
      'Oldest event that the trigger accepts, so that nobody can send a recorded delivery again later. The trigger reads the time of an event as UTC and refuses a time that it cannot read. The default leaves room for a service that writes Pacific time. If yours writes UTC, 60 is enough. 0 means no limit.',
  },
  {
    displayName: 'Max Delivery Size (MB)',
    name: 'maxDeliverySize',
    type: 'number',
    typeOptions: { minValue: 0.01, maxValue: 16 },
    default: 5,
    description: 'Larger calls are refused. n8n itself takes 16 MB at most unless it is set up otherwise.',
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
          'Accepts every call with the user name and password of the webhook, also with a wrong signature. The content can have been changed on the way.',
      },
      {
        name: 'Required',
        value: 'required',
        description:
          'Accepts only calls with a valid signature. Refuses all calls while the trigger has no security key. This is the default.',
      },
      {
        name: 'When Present',
        value: 'whenPresent',
        description:
          'Also accepts calls without a signature, and all calls while the trigger has no security key. Refuses calls whose signature does not match.',
      },
    ],
    default: 'required',
    description:
      'Whether calls must be signed with the security key of the webhook. A signature proves that the content comes from the service and was not changed on the way.',
  },
  {
    displayName: 'Signature Header Name',
    name: 'signatureHeader',
    type: 'string',
    default: '',
    placeholder: 'e.g. x-example-webhook-signature',
    description: 'Header that carries the signature. Any header x-…-webhook-signature unless given.',
  },
  {
    displayName: 'Split Into Items',
    name: 'split',
    type: 'boolean',
    default: true,
    description:
      'Whether a call that tells of many records, e.g. transactions that changed their status, becomes one item per record',
  },
  {
    displayName: 'Switch Off at Other Addresses',
    name: 'switchOffElsewhere',
    type: 'boolean',
    default: false,
    description:
      "Whether the activation switches off this node's webhooks at other addresses: those of a clone of this n8n, or of a former address. Unless it is on, they are left as they are and named.",
  },
  {
    displayName: 'Verify Delivery Credentials',
    name: 'verifyCredentials',
    type: 'boolean',
    default: true,
    description:
      'Whether to accept only calls with the user name and password of this webhook. The trigger generates both. If you switch this off, only the signature shows that a call comes from the service.',
  },
  {
    displayName: 'Watched Merchant ID',
    name: 'webhook_node',
    type: 'string',
    default: '',
    placeholder: 'e.g. 123456789012',
    description: "Merchant whose events are wanted. The API key's own unless given.",
  },
];

/** Parameters of the trigger, in the order a person fills them; those that are fields of the webhook carry their names. */
export const triggerParameters: Array<INodeProperties & Held> = [
  {
    displayName:
      'The webhook is set up at the service when you publish the workflow, and switched off when you unpublish it. Nothing has to be done in the merchant portal.',
    name: 'setUpNotice',
    type: 'notice',
    default: '',
  },
  // n8n's guideline has this label for what starts a workflow, and no description.
  ...eventParameters({ displayName: 'Trigger On' }, FURTHER),
  {
    displayName: 'Enrich With Record',
    name: 'enrich',
    type: 'boolean',
    default: false,
    description:
      'Whether to look up the account updater request, checkout or invoice that an event is about, and add it as "record". An event is a hint; the record is what the service knows at that moment.',
  },
  {
    displayName:
      "Warning: unless 'Signature' is 'Required', anyone who knows the address of this webhook can start the workflow with invented payments. Switch 'Verify Delivery Credentials' on.",
    name: 'unverifiedNotice',
    type: 'notice',
    default: '',
    displayOptions: { show: { '/options.verifyCredentials': [false] } },
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options,
  },
];

/** The parameters for all versions of the trigger: what is marked says in which n8n shows it. */
export const triggerProperties = (declared = triggerParameters, versions = TRIGGER_VERSIONS): INodeProperties[] =>
  inVersions(versions.map((version) => ({ version, properties: propertiesAt(declared, version) })));
