/** Service with a list of transactions, in its own process. The path begins with the number of records. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ListService {
  baseUrl: string;
  stop: () => void;
}

/** Returns the JSON text of a record of the transaction report. */
const recordOf = (row: number) =>
  JSON.stringify({
    rec_id: row,
    pg_id: `p${String(row).padStart(31, '0')}`,
    request_type: 'sale',
    tran_status: 'P',
    tran_time: '2026-10-05T10:15:00.000-07:00',
    tran_date: '2026-10-05',
    amt_tran: row / 100,
    tran_currency: '840',
    purchase_id: `ORDER${row}`,
    cardholder_first_name: 'Ana',
    cardholder_last_name: 'Example',
    card_number: '411111xxxxxx1111',
    card_type: 'VS',
    rcode: '000',
  });

function serve(latencyMs: number): void {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const total = Number(pathname.split('/')[1]);
    const [page, count] = [Number(searchParams.get('page')), Number(searchParams.get('count'))];
    const length = Math.max(0, Math.min(count, total - page * count));
    const data = Array.from({ length }, (_, index) => recordOf(page * count + index)).join();
    const totals = `"totalPages":${Math.ceil(total / count)},"totalRecords":${total}`;
    void sleep(latencyMs).then(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"code":0,"message":"Success",${totals},"data":[${data}]}`);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}

/** @param latencyMs delay of each response. */
export async function startListService(latencyMs: number): Promise<ListService> {
  const child = fork(__filename, [String(latencyMs)]);
  const [port] = (await once(child, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

if (require.main === module) serve(Number(process.argv[2]));
