import type { AxiosInstance } from 'axios';
import axios from 'axios';
import { parse } from 'flatted';
import type { IDataObject, INode, INodeListSearchResult, IRunExecutionData } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WorkflowJson {
  name: string;
  nodes: INode[];
  connections: object;
  settings: object;
}

export interface Execution {
  id: string;
  status: string;
  data: IRunExecutionData;
}

const OWNER_EMAIL = 'owner@example.com';
const EXECUTION_LIMIT_MS = 120_000;

/** n8n's own REST interface, as the editor uses it. Every method throws an Error with n8n's words when n8n refuses. */
export class N8nRest {
  static readonly ownerEmail = OWNER_EMAIL;

  private readonly http: AxiosInstance;

  constructor(baseUrl: string) {
    this.http = axios.create({ baseURL: `${baseUrl}/rest`, headers: { 'browser-id': 'local-runs' }, proxy: false });
    this.http.interceptors.response.use(undefined, (error: unknown) => {
      const data: unknown = axios.isAxiosError(error) ? error.response?.data : undefined;
      const words = data ? JSON.stringify(data).slice(0, 500) : String(error);
      return Promise.reject(new Error(`n8n refused: ${words}`));
    });
  }

  /** Signs in as the owner, who is created on a fresh n8n. */
  async signIn(password: string): Promise<void> {
    const settings = await this.get<{ userManagement: { showSetupOnFirstLoad?: boolean } }>('/settings');
    if (settings.userManagement.showSetupOnFirstLoad)
      await this.http.post('/owner/setup', { email: OWNER_EMAIL, password, firstName: 'Local', lastName: 'Owner' });
    const { headers } = await this.http.post('/login', { emailOrLdapLoginId: OWNER_EMAIL, password });
    const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
    this.http.defaults.headers.common.cookie = cookies.join('; ');
  }

  /** Creates a credential, or brings the one of the same name up to date. Returns its ID. */
  async saveCredential(name: string, data: IDataObject): Promise<string> {
    const body = { name, type: 'paymentPlatformApi', data };
    const known = (await this.get<Array<{ id: string; name: string }>>('/credentials')).find(
      (one) => one.name === name,
    );
    if (known) await this.http.patch(`/credentials/${known.id}`, body);
    return known?.id ?? (await this.post<{ id: string }>('/credentials', body)).id;
  }

  /** Runs the credential's own test with the given values. */
  async testCredential(id: string, name: string, data: IDataObject): Promise<{ status: string; message: string }> {
    return await this.post('/credentials/test', { credentials: { id, name, type: 'paymentPlatformApi', data } });
  }

  /** Creates a workflow in place of one of the same name. Returns its ID. */
  async saveWorkflow(workflow: WorkflowJson): Promise<string> {
    const { data } = await this.http.get<{ data: Array<{ id: string; name: string }> }>('/workflows');
    for (const { id } of data.data.filter(({ name }) => name === workflow.name)) {
      await this.http.post(`/workflows/${id}/archive`);
      await this.http.delete(`/workflows/${id}`);
    }
    return (await this.post<{ id: string }>('/workflows', { ...workflow, active: false })).id;
  }

  /** Executes a stored workflow from its manual trigger and waits for the end. */
  async execute(workflowId: string): Promise<Execution> {
    const workflowData = await this.get<WorkflowJson>(`/workflows/${workflowId}`);
    const trigger = workflowData.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
    const { executionId } = await this.post<{ executionId: string }>(`/workflows/${workflowId}/run`, {
      workflowData,
      triggerToStartFrom: { name: trigger?.name },
    });
    const until = Date.now() + EXECUTION_LIMIT_MS;
    for (;;) {
      const found = await this.get<{ id: string; status: string; data: string }>(`/executions/${executionId}`);
      if (!['new', 'running', 'waiting'].includes(found.status))
        return { id: found.id, status: found.status, data: parse(found.data) as IRunExecutionData };
      if (Date.now() > until)
        throw new Error(`The execution was still ${found.status} after ${EXECUTION_LIMIT_MS / 1000} s`);
      await sleep(200);
    }
  }

  /** The answer of a list search behind a "From List" parameter. */
  async searchList(request: IDataObject): Promise<INodeListSearchResult> {
    return await this.post('/dynamic-node-parameters/resource-locator-results', request);
  }

  private async get<T>(path: string): Promise<T> {
    return (await this.http.get<{ data: T }>(path)).data.data;
  }

  private async post<T>(path: string, body: unknown): Promise<T> {
    return (await this.http.post<{ data: T }>(path, body)).data.data;
  }
}

/** The JSON of the items that a node gave out at its first output. */
export function itemsOf(execution: Execution, node: string): IDataObject[] {
  return (execution.data.resultData.runData[node]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
}
