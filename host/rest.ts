import type { IBinaryData, IConnections, IDataObject, INode, INodeListSearchResult, IPinData } from 'n8n-workflow';

import { Executions, poll, type Execution } from './executions';
import { RestError, RestSession } from './rest-session';

export type { Execution, ExecutionSummary } from './executions';

export interface WorkflowJson {
  name: string;
  nodes: INode[];
  connections: IConnections;
  settings: object;
  pinData?: IPinData;
}

/** Workflow that n8n stores. */
export interface SavedWorkflow extends WorkflowJson {
  id: string;
  active: boolean;
  versionId: string;
}

interface Publication {
  status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
  triggers: Array<{ errorMessage: string | null }>;
}

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';
const ACTIVATION_LIMIT_MS = 60_000;

/**
 * Client of the internal REST interface that n8n's editor uses.
 * @throws RestError with n8n's message.
 */
export class N8nRest extends RestSession {
  readonly executions = new Executions(this);
  private saving: Promise<unknown> = Promise.resolve();

  /** Creates or updates the credential with this name. Returns the credential's ID. */
  async saveCredential(name: string, data: IDataObject, type = 'paymentPlatformApi'): Promise<string> {
    const body = { name, type, data };
    const all = await this.get<Array<{ id: string; name: string }>>('/credentials');
    const known = all.find((one) => one.name === name);
    if (known) await this.patch(`/credentials/${known.id}`, body);
    return known?.id ?? (await this.post<{ id: string }>('/credentials', body)).id;
  }

  /** Returns the text of a file in an item's binary data. */
  async readFile({ id, data }: Pick<IBinaryData, 'id' | 'data'>): Promise<string> {
    if (id === undefined) return Buffer.from(data, 'base64').toString();
    const { data: text } = await this.http.get<string>('/binary-data', {
      params: { id, action: 'view' },
      responseType: 'text',
      transformResponse: (body: string) => body,
    });
    return text;
  }

  async testCredential(id: string, name: string, data: IDataObject): Promise<{ status: string; message: string }> {
    return await this.post('/credentials/test', { credentials: { id, name, type: 'paymentPlatformApi', data } });
  }

  /** Deletes workflows with the same name, saves the workflow, and returns its ID. */
  async saveWorkflow(workflow: WorkflowJson): Promise<string> {
    // n8n 1 runs simultaneous transactions in one SQLite connection, where one transaction can break all others.
    const saved = this.saving.then(async () => await this.replaceWorkflow(workflow));
    this.saving = saved.catch(() => undefined);
    return await saved;
  }

  async getWorkflow(workflowId: string): Promise<SavedWorkflow> {
    return await this.get(`/workflows/${workflowId}`);
  }

  /** Updates a workflow. n8n 2 runs the earlier version until the next activation. */
  async updateWorkflow(workflowId: string, changes: Partial<WorkflowJson>): Promise<SavedWorkflow> {
    const { name, nodes, connections, settings, versionId } = await this.getWorkflow(workflowId);
    const body = { name, nodes, connections, settings, versionId, ...changes };
    return await this.patch(`/workflows/${workflowId}`, body);
  }

  async deleteWorkflow(workflowId: string): Promise<void> {
    if ((await this.getWorkflow(workflowId)).active) await this.deactivate(workflowId);
    await this.post(`/workflows/${workflowId}/archive`);
    await this.delete(`/workflows/${workflowId}`);
  }

  /**
   * Activates a workflow and waits until its triggers are active.
   * @throws Error with the trigger's message.
   */
  async activate(workflowId: string): Promise<void> {
    const { versionId } = await this.getWorkflow(workflowId);
    await this.post(`/workflows/${workflowId}/activate`, { versionId });
    await this.waitUntilActive(workflowId);
  }

  /**
   * Waits until a workflow's triggers are active.
   * @throws Error with the trigger's message, or after `limitMs` milliseconds.
   */
  async waitUntilActive(workflowId: string, limitMs = ACTIVATION_LIMIT_MS): Promise<void> {
    await poll(
      `The activation of workflow ${workflowId}`,
      async () => {
        const { status, triggers } = await this.publication(workflowId);
        const refusal = triggers.flatMap(({ errorMessage }) => errorMessage ?? []).join('; ');
        if (status === 'failed' || status === 'partial')
          throw new Error(`n8n did not activate the trigger: ${refusal}`);
        return status === 'published' || undefined;
      },
      limitMs,
    );
  }

  /** Returns whether a workflow and, in n8n 2, all its triggers are active. */
  async isPublished(workflowId: string): Promise<boolean> {
    return (await this.publication(workflowId)).status === 'published';
  }

  /** Deactivates a workflow and waits until its triggers are inactive. */
  async deactivate(workflowId: string): Promise<void> {
    await this.post(`/workflows/${workflowId}/deactivate`);
    await poll(
      `The deactivation of workflow ${workflowId}`,
      async () => (await this.publication(workflowId)).status === 'not_published' || undefined,
      ACTIVATION_LIMIT_MS,
    );
  }

  async execute(workflowId: string, triggerName?: string): Promise<Execution> {
    return await this.executions.waitFor(await this.start(workflowId, triggerName));
  }

  async start(workflowId: string, triggerName?: string): Promise<string> {
    const { executionId } = await this.run(workflowId, triggerName);
    if (executionId === undefined) throw new Error('n8n waits for a test event instead of executing the workflow');
    return String(executionId);
  }

  /** Registers a trigger's test webhook, which accepts one call. */
  async listenForTestEvent(workflowId: string, triggerName: string): Promise<void> {
    const { waitingForWebhook } = await this.run(workflowId, triggerName);
    if (!waitingForWebhook) throw new Error(`"${triggerName}" did not wait for a test event`);
  }

  /** Stops listening for a test event. n8n responds before it deletes the webhook. */
  async stopListening(workflowId: string): Promise<void> {
    await this.delete(`/test-webhook/${workflowId}`);
  }

  async searchList(request: IDataObject): Promise<INodeListSearchResult> {
    return await this.post('/dynamic-node-parameters/resource-locator-results', request);
  }

  private async replaceWorkflow(workflow: WorkflowJson): Promise<string> {
    // With other fields, n8n would load the permissions of every workflow.
    const all = await this.get<Array<{ id: string; name: string }>>('/workflows', { select: '["id","name"]' });
    for (const { id } of all.filter(({ name }) => name === workflow.name)) await this.deleteWorkflow(id);
    return (await this.post<{ id: string }>('/workflows', { ...workflow, active: false })).id;
  }

  private async run(workflowId: string, triggerName?: string) {
    const workflowData = await this.getWorkflow(workflowId);
    const name = triggerName ?? workflowData.nodes.find(({ type }) => type === MANUAL_TRIGGER)?.name;
    const body = { workflowData, triggerToStartFrom: { name } };
    return await this.post<{ executionId?: string; waitingForWebhook?: boolean }>(`/workflows/${workflowId}/run`, body);
  }

  /** Returns a workflow's publication state. n8n 1 activates triggers before it responds. */
  private async publication(workflowId: string): Promise<Publication> {
    try {
      return await this.get<Publication>(`/workflows/${workflowId}/publication-status`);
    } catch (error) {
      if (!(error instanceof RestError) || error.status !== 404) throw error;
      const { active } = await this.getWorkflow(workflowId);
      return { status: active ? 'published' : 'not_published', triggers: [] };
    }
  }
}

/** Returns the JSON items of a node's first run. */
export function itemsOf(execution: Execution, node: string, output = 0): IDataObject[] {
  return (execution.data.resultData.runData[node]?.[0]?.data?.main?.[output] ?? []).map(({ json }) => json);
}
