import axios from 'axios';

import { readExample } from '../../host/examples';
import type { Execution, WorkflowJson } from '../../host/rest';
import { DataTables, type Row } from '../../host/tables';
import { CREDENTIAL, startHost, type Host } from './host';

export const statuses = (rows: Row[]) => rows.map(({ status }) => status);

export type ExampleBench = ReturnType<typeof exampleBench>;

/** Starts n8n for the examples, and resets the sandbox and the data tables before each test. */
export function exampleBench() {
  let host: Host;
  let tables: DataTables;
  beforeAll(async () => {
    host = await startHost();
    tables = await DataTables.create(host.rest);
  });
  afterAll(async () => await host.stop());
  beforeEach(async () => {
    host.sandbox.control.reset();
    await tables.restore();
  });

  async function save(file: string, edited: (workflow: WorkflowJson) => WorkflowJson = (one) => one) {
    const credential = { id: host.credentialId, name: CREDENTIAL };
    const { typePrefix } = host.n8n;
    return await host.rest.saveWorkflow(edited(readExample(file, { typePrefix, credential, tables })));
  }

  async function run(saved: string): Promise<Execution> {
    const execution = await host.rest.execute(saved, 'Start');
    expect(execution.data.resultData.error?.message).toBeUndefined();
    expect(execution.status).toBe('success');
    return execution;
  }

  const execute = async (file: string): Promise<Execution> => await run(await save(file));

  const service = async <T>(path: string, data: object): Promise<T> => {
    const headers = { authorization: `Basic ${host.sandbox.credentials.test.token}` };
    return (await axios.post<{ data: T }>(`${host.sandbox.baseUrl}${path}`, data, { headers })).data.data;
  };

  return {
    get host() {
      return host;
    },
    get tables() {
      return tables;
    },
    ...{ save, run, execute, service },
  };
}
