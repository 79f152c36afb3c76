import { MAIN_JOB, readExample } from '../../host/examples';
import { itemsOf } from '../../host/rest';
import { DataTables } from '../../host/tables';
import { CREDENTIAL, packPackage, startHost, version, type Host } from './host';

const ways = [
  { way: 'as a custom extension folder', tarball: () => undefined, testsCredentials: false },
  { way: 'as an installed tarball', tarball: packPackage, testsCredentials: true },
];

describe.each(ways)(`${version} with the package $way`, ({ tarball, testsCredentials }) => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ tarball: tarball() });
  });
  afterAll(async () => await host.stop());

  test('the workflow sends an invoice for each CRM row, according to the service and the stored execution', async () => {
    const { rest, n8n, sandbox, credentialId } = host;
    sandbox.control.clearJournal();
    const tables = await DataTables.create(rest);
    const credential = { id: credentialId, name: CREDENTIAL };
    const id = await rest.saveWorkflow(readExample(MAIN_JOB, { typePrefix: n8n.typePrefix, credential, tables }));
    const execution = await rest.execute(id);
    expect(execution.status).toBe('success');

    const rows = itemsOf(execution, 'Open Rows');
    const sent = itemsOf(execution, 'Invoices');
    expect(sent.map(({ invoice_number }) => invoice_number)).toEqual(rows.map(({ invoice_number }) => invoice_number));
    expect(sent.map(({ amount }) => amount)).toEqual([11.5, 420, 780, 0.3, 174]);
    expect(sent.map(({ sent_to }) => sent_to)).toEqual(rows.map(({ email }) => email));
    const stored = await tables.rows('CRM');
    expect(stored.map(({ status }) => status)).toEqual(rows.map(() => 'invoiced'));

    const { invoices, notices } = sandbox.control.state();
    for (const { invoice_number, amount, sent_to } of sent) {
      const { invoice_id } = stored.find((row) => row.invoice_number === invoice_number) ?? {};
      expect(invoices.find((invoice) => String(invoice.invoice_id) === invoice_id)).toMatchObject({
        status: 'OUTSTANDING',
        invoice_number,
        amt_tran: amount,
      });
      expect(notices.filter((notice) => String(notice.invoice_id) === invoice_id)).toMatchObject([
        { email_address: [sent_to] },
      ]);
    }
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(5);
    expect(sandbox.control.journal({ operationId: 'sendInvoice' })).toHaveLength(5);
  });

  test('the credential test checks the key, the environment, the URL and the service', async () => {
    const { rest, sandbox, credentialId, credential } = host;
    const test = async (more: Record<string, string> = {}) =>
      await rest.testCredential(credentialId, CREDENTIAL, { ...credential, ...more });
    if (!testsCredentials) {
      // n8n can't test a credential of nodes in a custom extension folder (n8n.md#credential).
      expect((await test()).message).toContain('No testing function');
      return;
    }
    expect(await test()).toMatchObject({ status: 'OK' });
    expect(await test({ baseUrl: `${credential.baseUrl}/` })).toMatchObject({ status: 'OK' });
    expect(await test({ authMethod: 'apiToken', apiToken: sandbox.credentials.test.token })).toMatchObject({
      status: 'OK',
    });
    expect(await test({ apiKey: 'wrong' })).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('API Key is wrong') as string,
    });
    expect(await test({ baseUrl: `${credential.baseUrl}/x` })).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('this path does not exist') as string,
    });
    expect(await test({ baseUrl: sandbox.productionBaseUrl })).toMatchObject({ status: 'Error' });
    expect(await test({ environment: 'production' })).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('are from Test') as string,
    });
    expect(await test({ baseUrl: 'https://no-such-host.invalid' })).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('could not be resolved') as string,
    });
    expect(await test({ baseUrl: 'http://api.example.com' })).toMatchObject({ status: 'Error' });
    sandbox.control.addFault({ kind: 'status', status: 200, body: { code: 11, message: 'no' }, calls: [1] });
    expect(await test()).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('Merchant ID or the API Key is wrong') as string,
    });
    sandbox.control.clearFaults();
  });

  test('the HTTP Request node can use the credential', async () => {
    const { rest, sandbox, credentialId } = host;
    const node = (name: string, type: string, parameters: object) => ({
      id: name,
      name,
      type: `n8n-nodes-base.${type}`,
      typeVersion: type === 'httpRequest' ? 4.2 : 1,
      position: [0, 0] as [number, number],
      parameters: parameters as never,
    });
    const id = await rest.saveWorkflow({
      name: 'HTTP Request with the credential',
      nodes: [
        node('Start', 'manualTrigger', {}),
        {
          ...node('Request', 'httpRequest', {
            url: `${sandbox.baseUrl}/platform/vault/customer?count=1&page=0`,
            authentication: 'predefinedCredentialType',
            nodeCredentialType: 'paymentPlatformApi',
          }),
          credentials: { paymentPlatformApi: { id: credentialId, name: CREDENTIAL } },
        },
      ],
      connections: { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
      settings: {},
    });
    const execution = await rest.execute(id);
    expect(execution.status).toBe('success');
    expect(itemsOf(execution, 'Request')[0]).toMatchObject({ code: 0 });
  });

  test('the editor searches the customer list page by page', async () => {
    const { rest, n8n, sandbox, credentialId } = host;
    sandbox.control.addCustomers(60);
    const search = async (filter?: string, paginationToken?: string) =>
      await rest.searchList({
        methodName: 'searchCustomers',
        path: 'parameters.customer_id',
        nodeTypeAndVersion: { name: `${n8n.typePrefix}paymentPlatform`, version: 1 },
        currentNodeParameters: { resource: 'invoice', operation: 'create' },
        credentials: { paymentPlatformApi: { id: credentialId, name: CREDENTIAL } },
        ...(filter && { filter }),
        ...(paginationToken && { paginationToken }),
      });
    const first = await search();
    expect(first.results).toHaveLength(50);
    const second = await search(undefined, first.paginationToken as string);
    const ids = [...first.results, ...second.results].map(({ value }) => value);
    expect(new Set(ids).size).toBe(ids.length);
    const [wanted] = ids as [string];
    expect((await search(wanted)).results.map(({ value }) => value)).toContain(wanted);
    expect((await search('nobodyhasthisname')).results).toEqual([]);
  });
});
