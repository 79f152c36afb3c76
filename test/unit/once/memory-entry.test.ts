import { moveEntries, type MemoryEntry } from '../../../nodes/PaymentPlatform/once/memory-entry';

const entry = (request: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  request,
  origin: `origin of ${request}`,
  fields: '',
  ...more,
});
/** Returns the writes of a try whose parameters were edited, in the order of the items. */
const edited = (...requests: string[]) =>
  requests.map((request, item) => ({ place: `${item}.0`, request, origin: `edited ${item}` }));
const requestsOf = (entries: Record<string, MemoryEntry>) =>
  Object.fromEntries(Object.entries(entries).map(([place, { request }]) => [place, request]));

describe('entries of earlier tries', () => {
  test('move with their writes if two items change places', () => {
    const entries = { '0.0': entry('a'), '1.0': entry('b'), '2.0': entry('c') };
    moveEntries(entries, edited('c', 'b', 'a'));
    expect(requestsOf(entries)).toEqual({ '0.0': 'c', '1.0': 'b', '2.0': 'a' });
  });

  test('leave a place whose new write was never sent', () => {
    const entries = { '0.0': entry('a') };
    moveEntries(entries, edited('b', 'a'));
    expect(requestsOf(entries)).toEqual({ '1.0': 'a' });
  });

  test('stay with an item whose parameters and input are the same', () => {
    const entries = { '0.0': entry('at noon', { origin: 'same' }) };
    const now = [
      { place: '0.0', request: 'at one', origin: 'same' },
      { place: '1.0', request: 'at noon', origin: 'other' },
    ];
    moveEntries(entries, now);
    expect(requestsOf(entries)).toEqual({ '0.0': 'at noon' });
  });

  test('give each equal write one entry', () => {
    const entries = { '0.0': entry('a'), '1.0': entry('a') };
    moveEntries(entries, edited('b', 'a', 'a', 'a'));
    expect(requestsOf(entries)).toEqual({ '1.0': 'a', '2.0': 'a' });
  });

  test('never replace an entry that stays, and neither does the one behind it', () => {
    const entries = { '0.0': entry('a'), '1.0': entry('b'), '2.0': entry('gone') };
    moveEntries(entries, edited('x', 'a', 'b'));
    expect(requestsOf(entries)).toEqual({ '0.0': 'a', '1.0': 'b', '2.0': 'gone' });
  });

  test('replace an entry that was not applied, and never move such an entry', () => {
    const entries = { '0.0': entry('a'), '1.0': entry('b', { notApplied: true }) };
    moveEntries(entries, edited('b', 'a'));
    expect(requestsOf(entries)).toEqual({ '1.0': 'a' });
  });

  test('move only to the same part of an item', () => {
    const entries = { '0.0': entry('a'), '0.1': entry('a') };
    moveEntries(entries, [
      { place: '1.1', request: 'a', origin: 'edited' },
      { place: '1.2', request: 'a', origin: 'edited' },
    ]);
    expect(requestsOf(entries)).toEqual({ '0.0': 'a', '1.1': 'a' });
  });
});
