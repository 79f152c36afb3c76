import { benchForEachTest, type Envelope } from './client';

describe('Disputes', () => {
  const bench = benchForEachTest(true);

  const get = async (path: string): Promise<Envelope> =>
    (await bench.http.get<Envelope>(`/platform/dispute/${path}`)).data;
  const newDispute = async (): Promise<number> => {
    const { data } = await get(`${bench.merchant_id}/create?reasonCode=10.4`);
    return (data as Array<{ rec_id: number }>)[0]?.rec_id ?? 0;
  };
  const pdf = (content: string | Buffer = '%PDF-1.7', type = 'application/pdf') => new Blob([content], { type });
  const respond = async (id: number, files: Blob[], text = '{"message":"Delivered"}'): Promise<Envelope> => {
    const form = new FormData();
    files.forEach((file) => form.append('file', file, 'evidence.pdf'));
    form.append('disputeResponse', text);
    return (await bench.http.post<Envelope>(`/platform/dispute/${id}/respond`, form)).data;
  };
  const LARGEST = 10 * 1024 * 1024;

  test('a response to a dispute takes one PDF file of at most 10 MB and JSON that describes the file', async () => {
    const id = await newDispute();
    const refused: Array<[string, Blob[], string?]> = [
      ['file', [pdf(), pdf()]],
      ['file', [pdf('%PDF-1.7', 'image/png')]],
      ['file', [pdf('<html>')]],
      ['file', [pdf(`%PDF-${'x'.repeat(LARGEST)}`)]],
      ['file', []],
      ['disputeResponse', [pdf()], 'Delivered'],
      ['disputeResponse.unknown', [pdf()], '{"unknown":1}'],
    ];
    for (const [field, files, text] of refused) {
      const { code, data } = await respond(id, files, text);
      expect({ code, fields: Object.keys(data as object) }).toEqual({ code: 2, fields: [field] });
    }
    expect(await respond(id, [pdf(`%PDF-${'x'.repeat(LARGEST - 5)}`)])).toMatchObject({ code: 0 });
  });

  test('a dispute is under review after one response and can be reset', async () => {
    const id = await newDispute();
    expect((await get(`${id}/response`)).data).toEqual([]);
    expect((await respond(id, [pdf()])).code).toBe(0);
    expect((await respond(id, [pdf()])).code).toBe(2);
    expect((await get(`${id}/accept`)).code).toBe(2);
    expect((await get(`${id}/response`)).data).toMatchObject([{ rec_id: id }]);
    expect((await get(`browse?filter=status,IS,Q`)).data).toMatchObject([{ rec_id: id }]);
    expect((await get(`${id}/reset`)).code).toBe(0);
    expect((await get(`${id}/accept`)).code).toBe(0);
  });

  test('the time to respond to a dispute ends 20 days after the dispute arrives', async () => {
    const id = await newDispute();
    await bench.sandbox.control.advanceClock({ days: 22 });
    expect((await get(`${id}/accept`)).code).toBe(2);
    expect((await get(`1/accept`)).code).toBe(7);
  });

  test("a disputed charge is marked as disputed and can't be refunded", async () => {
    await newDispute();
    const disputed = bench.sandbox.control.state().transactions.find(({ dispute_flag }) => dispute_flag);
    const answer = await bench.http.post(`/pg/refund/${disputed?.pg_id}`, {
      merchant_id: bench.merchant_id,
      amt_tran: 1,
    });
    expect(answer.data).toMatchObject({ rcode: '402' });
  });
});
