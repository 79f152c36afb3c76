import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type IHookFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';

import { triggerPanel, triggerSubtitle } from './description.data';
import { load, paymentPlatformApiTest } from './load';

export class PaymentPlatformTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Payment Platform Trigger',
    name: 'paymentPlatformTrigger',
    icon: { light: 'file:../../icons/payment-platform.svg', dark: 'file:../../icons/payment-platform.dark.svg' },
    group: ['trigger'],
    version: [1],
    defaultVersion: 1,
    subtitle: triggerSubtitle(),
    // n8n shows this description for the node and the trigger together.
    description: 'Send invoices and refunds, or start a workflow when a payment succeeds or fails',
    // n8n shows this text only on the canvas (n8n.md#webhook-lifecycle).
    eventTriggerDescription: 'Waiting for an event. For example, choose "Pay this invoice" on the sandbox page.',
    activationMessage: 'The payment service now sends the selected events to this workflow.',
    defaults: { name: 'Payment Platform Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'paymentPlatformApi', required: true, testedBy: 'paymentPlatformApiTest' }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: triggerPanel(),
  };

  methods = { credentialTest: { paymentPlatformApiTest } };

  webhookMethods = {
    default: {
      // Also creates the webhook, because n8n could run another hook between `checkExists` and `create`.
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await (await load(this)).activateWebhook(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return await (await load(this)).activateWebhook(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return await (await load(this)).removeWebhook(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await (await load(this)).receive(this);
  }

  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    return await (await load(this)).scheduleCatchUp(this);
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await (await load(this)).emit(this);
  }
}
