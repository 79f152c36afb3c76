import { moveEntries } from '../../../nodes/PaymentPlatform/once/memory-entry';
import { expectLinearTime } from '../growth';

test('remembered equal writes move to other items in linear time', async () => {
  await expectLinearTime((count) => {
    const entries = Object.fromEntries(
      Array.from({ length: count }, (_, item) => [`${item}.0`, { request: 'a', origin: 'before', fields: '' }]),
    );
    const writes = Array.from({ length: 2 * count }, (_, item) => ({
      place: `${item}.0`,
      request: item < count ? 'b' : 'a',
      origin: 'edited',
    }));
    moveEntries(entries, writes);
    expect(Object.keys(entries)[0]).toBe(`${count}.0`);
  }, 20_000);
});
