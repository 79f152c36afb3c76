import axios, { type AxiosInstance, type AxiosResponse } from 'axios';

import { startSandbox, type Sandbox } from '../../sandbox';
import { openedFor } from '../opened';

export interface Envelope {
  code?: number;
  message?: string;
  rcode?: string;
  rmsg?: string;
  pg_id?: string;
  card_id?: string;
  card_number?: string;
  totalPages?: number;
  totalRecords?: number;
  data?: unknown;
}

export interface TestBench {
  sandbox: Sandbox;
  /** Sends the token of the test environment, and doesn't throw an error for an HTTP error status. */
  http: AxiosInstance;
  merchant_id: string;
}

/** Starts a sandbox on a free port. */
export async function openBench(seed = false): Promise<TestBench> {
  const sandbox = await startSandbox({ port: 0, seed });
  const { token, merchantId } = sandbox.credentials.test;
  const http = clientFor(sandbox.baseUrl, `Basic ${token}`);
  return { sandbox, http, merchant_id: merchantId };
}

/** Starts a sandbox for all tests of a file or `describe` block. */
export const benchForFile = (seed = false): TestBench =>
  openedFor(
    async () => await openBench(seed),
    async ({ sandbox }) => await sandbox.stop(),
  );

/** Starts a sandbox that is reset before each test. */
export function benchForEachTest(seed = false): TestBench {
  const bench = benchForFile(seed);
  beforeEach(() => bench.sandbox.control.reset());
  return bench;
}

export function clientFor(baseURL: string, authorization?: string): AxiosInstance {
  return axios.create({
    baseURL,
    headers: authorization === undefined ? {} : { authorization },
    validateStatus: () => true,
    proxy: false,
    timeout: 10_000,
  });
}

export async function refund(bench: TestBench, pgId: string, amt_tran?: number): Promise<AxiosResponse<Envelope>> {
  return bench.http.post<Envelope>(`/pg/refund/${pgId}`, { merchant_id: bench.merchant_id, amt_tran });
}

export function capturedSale(bench: TestBench, amountCents: number): string {
  const [pgId] = bench.sandbox.control.addCapturedSales({ count: 1, amountCents });
  if (pgId === undefined) throw new Error('No sale was added');
  return pgId;
}

export interface InvoiceData {
  invoice_id: number;
  invoice_link: string;
  status: string;
  amt_tran: number;
  amt_balance: number;
}

export const INVOICE_BODY = {
  customer_id: 'NEW1',
  save_customer: true,
  invoice_number: 'INV-1',
  billing_contact: { first_name: 'Ada', last_name: 'Abbott', email_address: 'ada@example.com' },
  line_items: [{ quantity: 2, description: 'Hour', unit_cost: 50 }],
};

export async function createInvoice(bench: TestBench, fields: object = {}): Promise<InvoiceData> {
  const { data } = await bench.http.post<{ data: InvoiceData }>('/platform/invoice', { ...INVOICE_BODY, ...fields });
  return data.data;
}
