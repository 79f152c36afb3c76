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

  // n8n loads all nodes when it starts: what a call or an execution needs is loaded with the first one.
  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { checkExists } = await import('./trigger/registration');
        return await checkExists(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const { create } = await import('./trigger/registration');
        return await create(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const { remove } = await import('./trigger/removal');
        return await remove(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { receive } = await import('./trigger/receive');
    return await receive(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const { emit } = await import('./trigger/emit');
    return await emit(this);
  }
}
