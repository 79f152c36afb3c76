import 'reflect-metadata';

import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads and protects its own settings file; a folder of the test's own keeps it away from a person's n8n.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'payment-platform-trigger-'));
process.env.N8N_LOG_LEVEL = 'silent';

import { HookContext, WebhookContext } from 'n8n-core';
import type {
  IDataObject,
  INode,
  INodeExecutionData,
  INodeParameters,
  INodeType,
  IWebhookData,
  IWorkflowExecuteAdditionalData,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { PaymentPlatformTrigger } from '../../nodes/PaymentPlatform/PaymentPlatformTrigger.node';
import { SandboxCredential, type CredentialData } from '../credential';

type Method = 'checkExists' | 'create' | 'delete';

interface LogLine {
  level: 'warn' | 'error';
  text: string;
}

/** Each host has a workflow of its own: what the node remembers in the process is kept by workflow. */
let workflows = 0;

/**
 * One workflow with one trigger in an n8n that consists of n8n-core's own contexts and of the few lines of n8n around
 * them: it loads static data for each call, writes it back as a whole before it answers, and answers once the execution
 * is started (host.md section 6 of the project's notes on n8n; webhook-helpers.js and live-webhooks.js of n8n 2.41).
 */
export class TriggerHost {
  /** What n8n would have written to its database. */
  stored = '{}';
  /** Items of each execution that was started. */
  readonly executions: INodeExecutionData[][] = [];
  readonly log: LogLine[] = [];
  /** Executions that n8n fails to start, from the next one on. */
  refusedExecutions = 0;
  /** How long n8n takes to start an execution, in milliseconds. */
  startMs = 0;
  name = 'Paid invoices to CRM';
  private readonly server: Server;
  private trigger = new PaymentPlatformTrigger();
  /** Static data of the test run that is listening. */
  private testData: IDataObject | undefined;

  private constructor(
    public credential: CredentialData,
    public parameters: INodeParameters,
    private readonly workflowId: string,
  ) {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  static async open(
    credential: CredentialData,
    parameters: INodeParameters = { events: ['*'] },
    workflowId = `workflow-${++workflows}`,
  ) {
    const host = new TriggerHost(credential, parameters, workflowId);
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  /** Forgets everything that lives in the process, as a killed n8n does. */
  restart(): void {
    this.testData = undefined;
    jest.isolateModules(() => {
      const module = jest.requireActual<typeof import('../../nodes/PaymentPlatform/PaymentPlatformTrigger.node')>(
        '../../nodes/PaymentPlatform/PaymentPlatformTrigger.node',
      );
      this.trigger = new module.PaymentPlatformTrigger();
    });
  }

  get url(): string {
    return `${this.origin}/webhook/node-webhook-id/webhook`;
  }

  /** @param killed whether n8n dies before it writes what the methods noted. */
  async activate({ killed = false } = {}): Promise<void> {
    const workflow = this.workflow();
    if (!(await this.call(workflow, 'checkExists', 'trigger'))) await this.call(workflow, 'create', 'trigger');
    if (killed) this.restart();
    else this.save(workflow);
  }

  async deactivate({ killed = false } = {}): Promise<unknown> {
    const workflow = this.workflow();
    const result = await this.call(workflow, 'delete', 'internal');
    if (killed) this.restart();
    else this.save(workflow);
    return result;
  }

  /** "Listen for test event" in the editor. */
  async listen(): Promise<void> {
    const workflow = this.workflow('{}');
    if (!(await this.call(workflow, 'checkExists', 'manual', true)))
      await this.call(workflow, 'create', 'manual', true);
    this.testData = workflow.staticData;
  }

  async stopListening(): Promise<unknown> {
    const workflow = this.workflow('{}');
    if (this.testData) workflow.staticData = this.testData;
    this.testData = undefined;
    return await this.call(workflow, 'delete', 'internal', true);
  }

  /** The node's part of what is stored. */
  get state(): IDataObject {
    return ((JSON.parse(this.stored) as IDataObject)['node:Trigger'] ?? {}) as IDataObject;
  }

  set state(state: IDataObject) {
    this.stored = JSON.stringify({ 'node:Trigger': state });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async call(workflow: Workflow, method: Method, mode: WorkflowExecuteMode, isTest = false) {
    const data = { ...this.webhookData(), isTest };
    const node = workflow.getNode('Trigger') as INode;
    const context = new HookContext(workflow, node, data.workflowExecuteAdditionalData, mode, 'activate', data);
    this.listenToLog(context);
    return await this.trigger.webhookMethods.default[method].call(context);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isTest = request.url?.startsWith('/webhook-test/') === true;
    const workflow = this.workflow(isTest ? '{}' : this.stored);
    if (isTest && this.testData) workflow.setTestStaticData(this.testData);
    const answer = (status: number, body: unknown) => {
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    const httpResponse = Object.assign(response, {
      status: (code: number) => ({ json: (body: unknown) => answer(code, body) }),
    });
    const httpRequest = Object.assign(request, { rawBody: Buffer.concat(chunks), body: {}, params: {}, query: {} });
    try {
      const additionalData = { ...this.additionalData(), httpRequest, httpResponse };
      const context = new WebhookContext(
        workflow,
        workflow.getNode('Trigger') as INode,
        additionalData as unknown as IWorkflowExecuteAdditionalData,
        isTest ? 'manual' : 'webhook',
        { ...this.webhookData(), isTest },
        [],
        null,
      );
      this.listenToLog(context);
      const result = await this.trigger.webhook.call(context);
      if (result.workflowData) {
        await new Promise((resolve) => setTimeout(resolve, this.startMs));
        if (this.refusedExecutions-- > 0) throw new Error('The execution could not be started');
        this.executions.push(result.workflowData[0] ?? []);
      }
      if (!isTest) this.save(workflow);
      if (!result.noWebhookResponse) answer(200, result.webhookResponse);
    } catch {
      answer(500, { message: 'Error in workflow' });
    }
  }

  private listenToLog({ logger }: Pick<HookContext, 'logger'>): void {
    for (const level of ['warn', 'error'] as const)
      logger[level] = (message: string, metadata?: object) =>
        void this.log.push({ level, text: `${message} ${JSON.stringify(metadata)}` });
  }

  private save(workflow: Workflow): void {
    if ((workflow.staticData as { __dataChanged?: boolean }).__dataChanged === true)
      this.stored = JSON.stringify(workflow.staticData);
  }

  private workflow(stored = this.stored): Workflow {
    const types: Record<string, INodeType> = { trigger: this.trigger };
    return new Workflow({
      id: this.workflowId,
      name: this.name,
      active: false,
      nodeTypes: {
        getByName: (name) => types[name] as INodeType,
        getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(types[name] as INodeType),
        getKnownTypes: () => ({}),
      },
      staticData: JSON.parse(stored) as IDataObject,
      connections: {},
      nodes: [
        {
          id: 'trigger-node-id',
          name: 'Trigger',
          type: 'trigger',
          typeVersion: 1,
          position: [0, 0],
          webhookId: 'node-webhook-id',
          parameters: this.parameters,
          credentials: { paymentPlatformApi: { id: '1', name: 'Sandbox' } },
        },
      ],
    });
  }

  private webhookData(): IWebhookData {
    const [webhookDescription] = this.trigger.description.webhooks ?? [];
    if (!webhookDescription) throw new Error('The trigger describes no webhook');
    return {
      httpMethod: 'POST',
      node: 'Trigger',
      path: 'node-webhook-id/webhook',
      webhookDescription,
      workflowId: this.workflowId,
      workflowExecuteAdditionalData: this.additionalData(),
    };
  }

  private additionalData(): IWorkflowExecuteAdditionalData {
    return {
      credentialsHelper: new SandboxCredential(this.credential),
      webhookBaseUrl: `${this.origin}/webhook`,
      webhookTestBaseUrl: `${this.origin}/webhook-test`,
      variables: {},
    } as unknown as IWorkflowExecuteAdditionalData;
  }
}
