import { EqualShares } from '../../../nodes/PaymentPlatform/once/equal-shares';
import type { MemoryEntry } from '../../../nodes/PaymentPlatform/once/memory-entry';
import { expectLinearTime } from '../growth';

const entry = (request: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  request,
  origin: '',
  fields: '',
  sentWith: 'first',
  ...more,
});

describe('the part of a shared request that sent an equal object', () => {
  test('an equal object is found only at a different position', () => {
    const entries = { '0.0': entry('a'), '1.0': entry('b') };
    const shares = new EqualShares(entries);
    expect(shares.find('a', '0.0')).toBeUndefined();
    expect(shares.find('a', '2.0')).toEqual({ entry: entries['0.0'] });
    expect(shares.find('c', '2.0')).toBeUndefined();
  });

  test('a completed equal object is preferred to an equal object with an unknown outcome', () => {
    const shares = new EqualShares({ '0.0': entry('a'), '1.0': entry('a', { records: [{ id: 1 }] }) });
    expect(shares.find('a', '2.0')?.done).toMatchObject({ outcome: 'done', records: [{ id: 1 }], ofOther: true });
    expect(shares.find('a', '1.0')?.done).toBeUndefined();
  });

  test('an object gets the records of an equal object in the same request', () => {
    const shares = new EqualShares({
      '0.0': entry('a', { records: [{ id: 1 }] }),
      '0.1': entry('b', { records: [] }),
      '0.2': entry('c', { records: [{ id: 2 }], sentWith: 'second' }),
      '0.3': entry('d', { records: [], sentWith: 'second' }),
      '10.0': entry('e', { records: [], sentWith: 'second' }),
      '1.0': entry('f', { records: [{ id: 3 }], sentWith: 'second' }),
    });
    expect(['b', 'd', 'e'].map((digest) => shares.find(digest, '9.0')?.done?.records)).toEqual([
      [{ id: 1 }],
      [{ id: 2 }],
      [],
    ]);
  });

  test.each([{ byWord: true as const }, { evidence: 'done' as const }])(
    'an equal object keeps the evidence of %j',
    (evidence) => {
      const shares = new EqualShares({ '0.0': entry('a', { records: [{ told: true }], ...evidence }) });
      const { done } = shares.find('a', '1.0') ?? {};
      expect(done).toMatchObject({ records: [{ told: true }] });
      expect(done?.ofOther).toBeUndefined();
    },
  );

  test('an equal object is not found if it was not applied, replaced or removed', () => {
    const entries: Record<string, MemoryEntry> = { '0.0': entry('a'), '1.0': entry('a'), '2.0': entry('a') };
    const shares = new EqualShares(entries);
    entries['0.0'] = entry('a', { notApplied: true });
    entries['1.0'] = entry('b');
    delete entries['2.0'];
    expect(shares.find('a', '3.0')).toBeUndefined();
  });

  test('an added equal object is found with records that arrived later', () => {
    const entries: Record<string, MemoryEntry> = {};
    const shares = new EqualShares(entries);
    for (const one of [entry('a'), entry('a', { records: [{ id: 7 }] })]) {
      entries['4.0'] = one;
      shares.add('4.0', one);
    }
    expect(shares.find('a', '5.0')?.done?.records).toEqual([{ id: 7 }]);
  });

  test('an equal object is found in linear time', async () => {
    await expectLinearTime((count) => {
      const all = Array.from({ length: count }, (_, part) => [`0.${part}`, entry(`card ${part}`, { records: [] })]);
      const shares = new EqualShares(Object.fromEntries(all) as Record<string, MemoryEntry>);
      for (let part = 0; part < count; part += 1) expect(shares.find(`card ${part}`, `1.${part}`)?.done).toBeDefined();
    }, 2000);
  });
});
