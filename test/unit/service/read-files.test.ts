import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { FileToSend } from '../../../nodes/PaymentPlatform/fields/kinds/file';
import { factsOf, readContents } from '../../../nodes/PaymentPlatform/service/read-files';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { respond } from '../../../nodes/PaymentPlatform/resources/dispute/respond';

const read = jest.fn(async () => await Promise.resolve(Buffer.from('abc')));
const contextWith = (binary: Partial<IBinaryData>, fileSize = 3) =>
  ({
    helpers: {
      assertBinaryData: () => ({ data: '', mimeType: 'application/pdf', ...binary }),
      getBinaryMetadata: async () => await Promise.resolve({ fileSize }),
      getBinaryDataBuffer: read,
    },
  }) as unknown as IExecuteFunctions;
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const file = (sha256 = ABC) =>
  new FileToSend('data', { fileName: 'a.pdf', mimeType: 'application/pdf', bytes: 3, sha256 });
const requestWith = (sent: FileToSend) =>
  ({ operation: respond, items: [0], values: { body: { file: sent } } }) as unknown as PlannedRequest;

beforeEach(() => read.mockClear());

test('identifies a file by its name, type, size and hash', async () => {
  const facts = { mimeType: 'application/pdf', bytes: 3, start: 'abc', sha256: ABC };
  expect(await factsOf(contextWith({ fileName: 'a.pdf' }), 0, 'data', 10)).toEqual({ fileName: 'a.pdf', ...facts });
  expect(await factsOf(contextWith({ id: 'x:1' }), 0, 'data', 10)).toEqual({ fileName: 'data', ...facts });
});

test("doesn't read a stored file that is too large", async () => {
  expect(await factsOf(contextWith({ id: 'x:1' }, 11), 0, 'data', 10)).toMatchObject({ bytes: 11 });
  expect(read).not.toHaveBeenCalled();
});

test('sends a file as it was checked or not at all', async () => {
  expect(await readContents(contextWith({}), requestWith(file()))).toEqual(new Map([['file', Buffer.from('abc')]]));
  expect(await readContents(contextWith({}), requestWith(file('other')))).toBe('changed');
  read.mockRejectedValueOnce(new Error('gone'));
  expect(await readContents(contextWith({}), requestWith(file()))).toBe('changed');
});
