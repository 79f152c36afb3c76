import 'reflect-metadata';

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { HookContext, TriggerContext, WebhookContext } from 'n8n-core';
import {
  ManualExecutionCancelledError,
  NodeHelpers,
  Workflow,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
  type IRun,
  type IRunExecutionData,
  type ITriggerFunctions,
  type IWebhookData,
  type IWorkflowExecuteAdditionalData,
  type WorkflowExecuteMode,
} from 'n8n-workflow';

// Compiles the module before the first test.
import '../../nodes/PaymentPlatform/runtime';

import { PaymentPlatformTrigger } from '../../nodes/PaymentPlatform/PaymentPlatformTrigger.node';
import { SandboxCredential, type CredentialData } from '../credential';
import { Database } from './database';
import { executionData, runExecution } from './execution';

interface Deferred<T> {
  promise: Promise<T>;
  resolve: (result: T) => void;
  reject: (error: Error) => void;
}

/** Same as n8n's helper. */
function createDeferredPromise<T>(): Deferred<T> {
  const deferred: Partial<Deferred<T>> = {};
  deferred.promise = new Promise<T>((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred as Deferred<T>;
}

interface Cron {
  expression: string;
}

type Method = 'checkExists' | 'create' | 'delete';

interface LogLine {
  level: 'warn' | 'error';
  text: string;
}

/** The node stores its in-memory data by workflow ID. */
let workflows = 0;

export interface HostOptions {
  workflowId?: string;
  /** Several hosts with one database simulate several trigger nodes of one workflow. */
  nodeName?: string;
  /** n8n's public URL, if different from the process's own URL. */
  publicOrigin?: string;
  database?: Database;
  /** Whether separate processes run the executions, as in queue mode. */
  workers?: boolean;
  major?: 1 | 2;
  /** Outcomes whose executions n8n deletes, because environment variables say so. */
  unsaved?: ReadonlyArray<'success' | 'error'>;
}

type TriggerModule = typeof import('../../nodes/PaymentPlatform/PaymentPlatformTrigger.node');
type LoadModule = typeof import('../../nodes/PaymentPlatform/load');

/** Simulates n8n 2.41 with one active trigger (n8n.md#webhook-lifecycle). */
export class TriggerHost {
  readonly executions: INodeExecutionData[][] = [];
  readonly handed: INodeExecutionData[][] = [];
  readonly problems: string[] = [];
  work: (items: INodeExecutionData[]) => Promise<void> = async () => await Promise.resolve();
  /** Whether executions wait after the work. */
  waits = false;
  readonly log: LogLine[] = [];
  /** Schedules that the trigger registered. */
  readonly crons: Array<Cron & { tick: () => void }> = [];
  refusedExecutions = 0;
  /** Time in simulated milliseconds that n8n takes to start an execution. */
  startMs = 0;
  name = 'Paid invoices to CRM';
  readonly database: Database;
  private readonly nodeName: string;
  private readonly server: Server;
  private trigger = new PaymentPlatformTrigger();
  private worker = this.trigger;
  /** A call that starts an execution keeps running after the response. */
  private readonly handling = new Set<Promise<void>>();
  private readonly running = new Set<Promise<void>>();
  private stopped = new AbortController();
  private canceled = new AbortController();
  private readonly workflows = new Set<Workflow>();
  private closeTrigger: (() => Promise<void>) | undefined;
  private testData: IDataObject | undefined;

  private constructor(
    public credential: CredentialData,
    public parameters: INodeParameters,
    readonly id: string,
    private readonly options: HostOptions,
  ) {
    this.nodeName = options.nodeName ?? 'Trigger';
    this.database = options.database ?? new Database();
    this.server = createServer((request, response) => {
      const handled = this.handle(request, response).finally(() => this.handling.delete(handled));
      this.handling.add(handled);
    });
  }

  static async open(
    credential: CredentialData,
    parameters: INodeParameters = { events: ['*'] },
    options: HostOptions = {},
  ) {
    const host = new TriggerHost(credential, parameters, options.workflowId ?? `workflow-${++workflows}`, options);
    if (options.workers) host.worker = await freshTrigger();
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get stored(): string {
    return this.database.stored;
  }

  set stored(text: string) {
    this.database.stored = text;
  }

  /** Clears all in-memory data, as killing n8n does. */
  async restart(): Promise<void> {
    this.testData = undefined;
    await this.stopTrigger();
    this.database.kill(this.workflows);
    this.workflows.clear();
    this.running.clear();
    this.stopped.abort();
    this.stopped = new AbortController();
    this.trigger = await freshTrigger();
    this.worker = this.options.workers ? await freshTrigger() : this.trigger;
  }

  /** Cancels all running executions, as a user or n8n's time limit does. */
  cancelExecutions(): void {
    this.canceled.abort();
    this.canceled = new AbortController();
  }

  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  get url(): string {
    return `${this.origin}/webhook/${this.nodeName}/webhook`;
  }

  /**
   * Activates the workflow.
   * @param killed if true, kills n8n before it saves the state.
   */
  async activate({ killed = false } = {}): Promise<void> {
    const workflow = this.workflow();
    try {
      if (!(await this.call(workflow, 'checkExists', 'trigger'))) await this.call(workflow, 'create', 'trigger');
    } catch (error) {
      await this.call(workflow, 'delete', 'internal');
      if (!killed) this.save(workflow);
      throw error;
    } finally {
      if (killed) await this.restart();
    }
    if (killed) return;
    this.save(workflow);
    await this.startTrigger();
  }

  /** Calls the trigger function, as n8n does when it activates a workflow or starts. */
  async startTrigger(): Promise<void> {
    await this.stopTrigger();
    const workflow = this.workflow();
    const node = workflow.getNode(this.nodeName) as INode;
    const emit: ITriggerFunctions['emit'] = ([items = []], _response, done) =>
      this.refusedExecutions-- > 0
        ? done?.reject(new Error('The execution could not be started'))
        : void this.start(items, 'trigger').then((run) =>
            run.status === 'canceled' ? done?.reject(new ManualExecutionCancelledError('')) : done?.resolve(run),
          );
    const helpers = {
      createDeferredPromise,
      registerCron: ({ expression }: Cron, tick: () => void) => void this.crons.push({ expression, tick }),
    };
    const context = new TriggerContext(
      workflow,
      node,
      this.additionalData(),
      'trigger',
      'activate',
      emit,
      undefined,
      undefined,
      helpers as never,
    );
    this.listenToLog(context);
    this.closeTrigger = (await this.trigger.trigger.call(context)).closeFunction;
  }

  async deactivate({ killed = false } = {}): Promise<unknown> {
    const workflow = this.workflow();
    const result = await this.call(workflow, 'delete', 'internal');
    await this.stopTrigger();
    if (killed) await this.restart();
    else this.save(workflow);
    return result;
  }

  /** Listens for a test event, as n8n's editor does. */
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

  get state(): IDataObject {
    return ((JSON.parse(this.stored) as IDataObject)[`node:${this.nodeName}`] ?? {}) as IDataObject;
  }

  set state(state: IDataObject) {
    this.stored = JSON.stringify({ ...(JSON.parse(this.stored) as IDataObject), [`node:${this.nodeName}`]: state });
  }

  async close(): Promise<void> {
    await this.stopTrigger();
    await Promise.all(this.handling);
    this.stopped.abort();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private get origin(): string {
    return this.options.publicOrigin ?? this.address;
  }

  private async stopTrigger(): Promise<void> {
    this.crons.length = 0;
    await this.closeTrigger?.();
    this.closeTrigger = undefined;
  }

  private async call(workflow: Workflow, method: Method, mode: WorkflowExecuteMode, isTest = false) {
    const data = { ...this.webhookData(), isTest };
    const node = workflow.getNode(this.nodeName) as INode;
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
        workflow.getNode(this.nodeName) as INode,
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
        if (this.database.isDead(workflow)) return void response.destroy();
        if (this.refusedExecutions-- > 0) throw new Error('The execution could not be started');
        void this.start(result.workflowData[0] ?? [], isTest ? 'manual' : 'webhook');
      }
      if (!isTest) this.save(workflow);
      if (!result.noWebhookResponse) answer(200, result.webhookResponse);
    } catch {
      if (!response.headersSent) answer(500, { message: 'Error in workflow' });
    }
  }

  /** In queue mode, the worker loads the workflow from the database. */
  private async start(items: INodeExecutionData[], mode: WorkflowExecuteMode): Promise<IRun> {
    this.handed.push(items);
    const workflow = this.workflow();
    const data = executionData();
    const id = this.database.newExecution(data);
    const { database } = this;
    const canceled = this.canceled.signal;
    const run = runExecution(
      {
        database,
        workflow,
        stopped: this.stopped.signal,
        canceled,
        nodeName: this.nodeName,
        trigger: this.worker,
        mode,
        items,
        additionalData: this.additionalData(),
        major: this.options.major ?? 2,
        unsaved: this.options.unsaved ?? [],
        waits: this.waits,
        work: async (output) => {
          if (output.length > 0 && !database.isDead(workflow)) this.executions.push(output);
          await this.work(output);
        },
      },
      id,
      data,
    ).then(() => {
      const { error } = data.resultData;
      if (error) this.problems.push(error.message);
      this.running.delete(run);
    });
    this.running.add(run);
    await run;
    if (canceled.aborted) return { data, mode, status: 'canceled', startedAt: new Date(), storedAt: 'db' };
    const status = data.resultData.error ? 'error' : data.waitTill ? 'waiting' : 'success';
    return { data: this.dataOf(data), mode, status, startedAt: new Date(), storedAt: 'db' };
  }

  /** In queue mode, the main process of n8n 2 receives no items (n8n.md#queue-mode). */
  private dataOf(data: IRunExecutionData): IRunExecutionData {
    if (!this.options.workers || this.options.major === 1) return data;
    return { ...data, resultData: { ...data.resultData, runData: {} } };
  }

  private listenToLog({ logger }: Pick<HookContext, 'logger'>): void {
    for (const level of ['warn', 'error'] as const)
      logger[level] = (message: string, metadata?: object) =>
        void this.log.push({ level, text: `${message} ${JSON.stringify(metadata)}` });
  }

  private save(workflow: Workflow): void {
    if (this.database.isDead(workflow)) return;
    if ((workflow.staticData as { __dataChanged?: boolean }).__dataChanged === true)
      this.stored = JSON.stringify(workflow.staticData);
  }

  private workflow(stored = this.stored): Workflow {
    const types: Record<string, INodeType> = { trigger: this.trigger };
    const workflow = new Workflow({
      id: this.id,
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
          id: `${this.nodeName}-id`,
          name: this.nodeName,
          type: 'trigger',
          typeVersion: 1,
          position: [0, 0],
          webhookId: this.nodeName,
          parameters: this.parameters,
          credentials: { paymentPlatformApi: { id: '1', name: 'Sandbox' } },
        },
      ],
    });
    this.workflows.add(workflow);
    this.database.own(workflow);
    return workflow;
  }

  private webhookData(): IWebhookData {
    const [webhookDescription] = this.trigger.description.webhooks ?? [];
    if (!webhookDescription) throw new Error('The trigger describes no webhook');
    return {
      httpMethod: 'POST',
      node: this.nodeName,
      path: `${this.nodeName}/webhook`,
      webhookDescription,
      workflowId: this.id,
      workflowExecuteAdditionalData: this.additionalData(),
    };
  }

  private additionalData(): IWorkflowExecuteAdditionalData {
    return {
      credentialsHelper: new SandboxCredential(this.credential),
      webhookBaseUrl: `${this.origin}/webhook`,
      webhookTestBaseUrl: `${this.origin}/webhook-test`,
      webhookWaitingBaseUrl: `${this.origin}/webhook-waiting`,
      formWaitingBaseUrl: `${this.origin}/form-waiting`,
      variables: {},
    } as unknown as IWorkflowExecuteAdditionalData;
  }
}

const noNode = (): never => {
  throw new Error('The code of the trigger could not be loaded');
};

async function freshTrigger(): Promise<PaymentPlatformTrigger> {
  let trigger: PaymentPlatformTrigger | undefined;
  await jest.isolateModulesAsync(async () => {
    const module = jest.requireActual<TriggerModule>('../../nodes/PaymentPlatform/PaymentPlatformTrigger.node');
    const { load } = jest.requireActual<LoadModule>('../../nodes/PaymentPlatform/load');
    trigger = new module.PaymentPlatformTrigger();
    await load({ getNode: noNode });
  });
  return trigger ?? noNode();
}
