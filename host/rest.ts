import type { IConnections, IDataObject, INode, INodeListSearchResult, IPinData } from 'n8n-workflow';

import { Executions, poll, type Execution } from './executions';
import { RestError, RestSession } from './rest-session';

export type { Execution, ExecutionSummary } from './executions';

export interface WorkflowJson {
  name: string;
  nodes: INode[];
  connections: IConnections;
  settings: object;
  /** Items that n8n outputs in manual runs instead of running a node. */
  pinData?: IPinData;
}

/** A workflow stored by n8n. */
export interface SavedWorkflow extends WorkflowJson {
  id: string;
  active: boolean;
  versionId: string;
}

/** Publication state of a workflow in n8n 2. */
interface Publication {
  status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
  triggers: Array<{ errorMessage: string | null }>;
}

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';
const ACTIVATION_LIMIT_MS = 60_000;

/**
 * n8n's internal REST interface, which the editor uses. Methods throw RestError with n8n's message for an error
 * response.
 */
export class N8nRest extends RestSession {
  readonly executions = new Executions(this);

  /** Creates a credential or updates the one with the same name. Returns its ID. */
  async saveCredential(name: string, data: IDataObject, type = 'paymentPlatformApi'): Promise<string> {
    const body = { name, type, data };
    const all = await this.get<Array<{ id: string; name: string }>>('/credentials');
    const known = all.find((one) => one.name === name);
    if (known) await this.patch(`/credentials/${known.id}`, body);
    return known?.id ?? (await this.post<{ id: string }>('/credentials', body)).id;
  }

  /** Runs the credential test with the given values. */
  async testCredential(id: string, name: string, data: IDataObject): Promise<{ status: string; message: string }> {
    return await this.post('/credentials/test', { credentials: { id, name, type: 'paymentPlatformApi', data } });
  }

  /** Saves a workflow and replaces the one with the same name. Returns its ID. */
  async saveWorkflow(workflow: WorkflowJson): Promise<string> {
    // Selects only what is needed, because n8n otherwise also loads the permissions of every workflow.
    const all = await this.get<Array<{ id: string; name: string }>>('/workflows', { select: '["id","name"]' });
    for (const { id } of all.filter(({ name }) => name === workflow.name)) await this.deleteWorkflow(id);
    return (await this.post<{ id: string }>('/workflows', { ...workflow, active: false })).id;
  }

  async getWorkflow(workflowId: string): Promise<SavedWorkflow> {
    return await this.get(`/workflows/${workflowId}`);
  }

  /**
   * Updates a saved workflow. In n8n 2, an active workflow keeps running its earlier version until it is activated
   * again.
   */
  async updateWorkflow(workflowId: string, changes: Partial<WorkflowJson>): Promise<SavedWorkflow> {
    const { name, nodes, connections, settings, versionId } = await this.getWorkflow(workflowId);
    const body = { name, nodes, connections, settings, versionId, ...changes };
    return await this.patch(`/workflows/${workflowId}`, body);
  }

  /** Deactivates a workflow and deletes it with its executions. */
  async deleteWorkflow(workflowId: string): Promise<void> {
    if ((await this.getWorkflow(workflowId)).active) await this.deactivate(workflowId);
    await this.post(`/workflows/${workflowId}/archive`);
    await this.delete(`/workflows/${workflowId}`);
  }

  /**
   * Activates the saved version and waits until its triggers are active. Throws RestError or Error with the trigger's
   * message.
   */
  async activate(workflowId: string): Promise<void> {
    const { versionId } = await this.getWorkflow(workflowId);
    await this.post(`/workflows/${workflowId}/activate`, { versionId });
    await this.waitUntilActive(workflowId);
  }

  /** Waits until a workflow's triggers are active (ms). Throws an Error with the message of a trigger that fails. */
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

  /** Returns whether n8n shows a workflow as active: published in n8n 2, with all triggers activated. */
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

  /** Executes a stored workflow from its manual trigger or the named trigger, and waits for the end. */
  async execute(workflowId: string, triggerName?: string): Promise<Execution> {
    return await this.executions.waitFor(await this.start(workflowId, triggerName));
  }

  /** Starts a stored workflow as `execute` does. Returns the ID of the execution without waiting for it. */
  async start(workflowId: string, triggerName?: string): Promise<string> {
    const { executionId } = await this.run(workflowId, triggerName);
    if (executionId === undefined) throw new Error('n8n waits for a test event instead of executing the workflow');
    return String(executionId);
  }

  /**
   * Registers the test webhook of a trigger, as the editor's "Listen for test event" does. The webhook accepts one call
   * at `<n8n>/webhook-test/...`. Use `executions.next` to get the resulting execution.
   */
  async listenForTestEvent(workflowId: string, triggerName: string): Promise<void> {
    const { waitingForWebhook } = await this.run(workflowId, triggerName);
    if (!waitingForWebhook) throw new Error(`"${triggerName}" did not wait for a test event`);
  }

  /**
   * Stops listening for a test event, as the editor's "Stop listening" does. n8n responds before it has finished, so
   * wait for the effect: the deletion of the webhook at the service, or 404 at the test address.
   */
  async stopListening(workflowId: string): Promise<void> {
    await this.delete(`/test-webhook/${workflowId}`);
  }

  /** Returns the results of a list search behind a "From List" parameter. */
  async searchList(request: IDataObject): Promise<INodeListSearchResult> {
    return await this.post('/dynamic-node-parameters/resource-locator-results', request);
  }

  private async run(workflowId: string, triggerName?: string) {
    const workflowData = await this.getWorkflow(workflowId);
    const name = triggerName ?? workflowData.nodes.find(({ type }) => type === MANUAL_TRIGGER)?.name;
    const body = { workflowData, triggerToStartFrom: { name } };
    return await this.post<{ executionId?: string; waitingForWebhook?: boolean }>(`/workflows/${workflowId}/run`, body);
  }

  /**
   * Returns the publication state in n8n 2. In n8n 1, uses the workflow's own state, because triggers are active before
   * the response.
   */
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

/** Returns the JSON items of a node's first run, from its first output or the given one. */
export function itemsOf(execution: Execution, node: string, output = 0): IDataObject[] {
  return (execution.data.resultData.runData[node]?.[0]?.data?.main?.[output] ?? []).map(({ json }) => json);
}
