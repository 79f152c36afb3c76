import { Journal } from '../../sandbox/control/journal';
import { benchForFile, clientFor } from './client';

const MEBIBYTE = 1024 * 1024;
const request = {
  environment: 'test',
  received: '',
  method: 'POST',
  path: '/pg/tokenize',
  query: {},
  operationId: 'tokenize',
  headers: {},
  body: null,
} as const;

test('the journal keeps the latest 64 MiB of bodies and all entries', () => {
  const journal = new Journal();
  for (let number = 0; number < 10; number += 1) journal.keepBody(journal.open(request), { number }, 10 * MEBIBYTE);
  expect(journal.list().map(({ body }) => body)).toEqual([
    ...Array.from({ length: 4 }, () => null),
    ...[4, 5, 6, 7, 8, 9].map((number) => ({ number })),
  ]);
});

test('the journal removes its oldest entries', () => {
  const journal = new Journal();
  for (let number = 0; number < 200_001; number += 1) journal.open(request);
  const entries = journal.list();
  expect([entries.length, entries.at(-1)?.sequence]).toEqual([100_000, 200_001]);
});

describe('a body', () => {
  const bench = benchForFile();

  test('the journal keeps a body only if the caller has the key', async () => {
    const stranger = clientFor(bench.sandbox.baseUrl, 'Basic YTpi');
    for (const http of [bench.http, stranger]) await http.post('/pg/refund/1', { amt_tran: 5 });
    expect(bench.sandbox.control.journal({ operationId: 'refund' }).map(({ body }) => body)).toEqual([
      { amt_tran: 5 },
      null,
    ]);
  });
});
