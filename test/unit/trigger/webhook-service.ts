import type { IDataObject, IHookFunctions } from 'n8n-workflow';

interface Request {
  method: string;
  url: string;
  body?: string;
  qs: { page?: number; count?: number };
}

interface Reply {
  statusCode: number;
  body: string;
}

const BASE_URL = 'https://pay.example.com/v1';
export const reply = (body: object, statusCode = 200): Reply => ({ statusCode, body: JSON.stringify(body) });
export const noSuchPath = () => reply({ code: 7, message: 'No such URL' }, 404);
export const refused = () => reply({ code: 11, message: 'Not allowed' }, 403);

/** In-memory replacement for the service's webhook operations. */
export class WebhookServiceFake {
  webhooks: IDataObject[] = [];
  calls: string[] = [];
  bodies: IDataObject[] = [];
  /** Functions that replace the service's response, by the method and the start of the path. */
  instead: Record<string, () => Reply> = {};
  given: IDataObject = { security_key: 'the-security-key' };
  private made = 0;

  get changes(): string[] {
    return this.calls.filter((call) => !call.startsWith('GET'));
  }

  find(id: number): IDataObject {
    const found = this.webhooks.find(({ webhook_id }) => webhook_id === id);
    if (!found) throw new Error(`There is no webhook ${id}`);
    return found;
  }

  answer({ method, url, body, qs }: Request): Reply {
    const path = url.replace(BASE_URL, '').replace('/platform/webhook', '');
    const call = `${method} ${path}`.trim();
    this.calls.push(call);
    const content = body === undefined ? {} : (JSON.parse(body) as IDataObject);
    this.bodies.push(content);
    const [, instead] = Object.entries(this.instead).find(([start]) => call.startsWith(start)) ?? [];
    if (instead) return instead();
    if (method === 'GET') {
      const { page = 0, count = 100 } = qs;
      // The service may omit authentication settings from a list.
      const data = this.webhooks.slice(page * count, (page + 1) * count).map((one) => ({ ...one, auth_settings: {} }));
      return reply({ code: 0, message: 'Success', data, totalPages: 1, totalRecords: this.webhooks.length });
    }
    if (method === 'POST') return this.make(content);
    const [, id, step] = path.split('/');
    const webhook = this.webhooks.find(({ webhook_id }) => webhook_id === Number(id));
    if (!webhook) return noSuchPath();
    if (step === undefined) Object.assign(webhook, content);
    else webhook.status = step === 'enable' ? 'ACTIVE' : 'DISABLED';
    return reply({ code: 0, message: 'Success', data: webhook });
  }

  private make(content: IDataObject): Reply {
    this.made += 1;
    const webhook = { ...content, webhook_id: this.made, status: 'ACTIVE' };
    this.webhooks.push(webhook);
    return reply({ code: 0, message: 'Success', data: { ...webhook, ...this.given } });
  }
}

let workflows = 0;

export function triggerNode(service: WebhookServiceFake) {
  const workflowId = `registration-${++workflows}`;
  const node = {
    staticData: {} as { registrations?: Record<string, IDataObject>; notices?: string[]; management?: string },
    parameters: { events: ['invoice_paid'] } as Record<string, unknown>,
    credential: {
      environment: 'test',
      baseUrl: BASE_URL,
      merchantId: '1',
      authMethod: 'apiKey',
      apiKey: 'the-api-key',
    } as IDataObject,
    url: 'https://n8n.example.com/webhook/a' as string | undefined,
    mode: 'trigger',
    timezone: 'America/New_York',
    activation: 'activate',
    log: [] as string[],
    /** Changes the stored registrations, as if an earlier activation had saved the changes. */
    store: (changes: IDataObject) => {
      for (const [key, one] of Object.entries(node.staticData.registrations ?? {}))
        (node.staticData.registrations ?? {})[key] = { ...one, ...changes, revision: Number(one.revision) + 1 };
    },
    registration: () => Object.values(node.staticData.registrations ?? {}).find(({ active }) => active),
    context: () =>
      ({
        getNodeWebhookUrl: (name: string) => (name === 'default' ? node.url : undefined),
        getInstanceId: () => 'instance',
        getWorkflow: () => ({ id: workflowId, name: 'Paid invoices' }),
        getNode: () => ({ id: 'node', name: 'Trigger', type: 'trigger', typeVersion: 1 }),
        getMode: () => node.mode,
        getTimezone: () => node.timezone,
        getActivationMode: () => node.activation,
        getWorkflowStaticData: () => node.staticData,
        getCredentials: async () => await Promise.resolve(node.credential),
        getNodeParameter: (name: string, fallback: unknown) => node.parameters[name] ?? fallback,
        logger: {
          warn: (text: string) => void node.log.push(`warn ${text}`),
          error: (text: string) => void node.log.push(`error ${text}`),
        },
        helpers: {
          httpRequestWithAuthentication: async (_: string, request: Request) =>
            await Promise.resolve(service.answer(request)),
        },
      }) as unknown as IHookFunctions,
  };
  return node;
}
