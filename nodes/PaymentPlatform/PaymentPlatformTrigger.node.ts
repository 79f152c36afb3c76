import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type IHookFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';

import { triggerProperties } from './trigger/description';
import { emit } from './trigger/emit';
import { receive } from './trigger/receive';
import { checkExists, create } from './trigger/registration';
import { remove } from './trigger/removal';

export class PaymentPlatformTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Payment Platform Trigger',
    name: 'paymentPlatformTrigger',
    icon: { light: 'file:../../icons/payment-platform.svg', dark: 'file:../../icons/payment-platform.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].includes("*") ? "all events" : $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when the payment service tells of an event, e.g. a paid invoice',
    eventTriggerDescription: 'Waiting for an event of the payment service',
    activationMessage: 'The payment service now tells this workflow of the chosen events.',
    defaults: { name: 'Payment Platform Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'paymentPlatformApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: triggerProperties,
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await checkExists(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return await create(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return await remove(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await receive(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await emit(this);
  }
}
