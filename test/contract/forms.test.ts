import type { DescribedOperation, Schema } from '../../interface/generate/interface-document';
import { requestText } from '../../interface/generate/wire';
import { factText } from '../../interface/generate/wire-fields';

const evidence: Schema = { type: 'string', contentMediaType: 'application/pdf', 'x-max-bytes': 10485760 };
const answers: Schema = { type: 'string', contentMediaType: 'application/json' };
const body: Schema = { type: 'object', properties: { file: evidence, answers } };
const respond = (type: 'application/json' | 'multipart/form-data'): DescribedOperation => ({
  operationId: 'respond',
  'x-source': 'reference',
  'x-money': 'writes once',
  requestBody: { content: { [type]: { schema: body } } },
  responses: {},
});
const textOf = (operation: DescribedOperation) =>
  requestText({ method: 'POST', path: '/platform/dispute/{rec_id}/respond', operation });

test('the interface describes a file in a form by kind and maximum size', () => {
  expect(factText('file', evidence, true, 'body').text).toBe(
    "{ type: 'file', required: true, mimeType: 'application/pdf', mostBytes: 10485760 }",
  );
});

test("a JSON array sent as text next to the file isn't a file", () => {
  expect(factText('answers', answers, false, 'body').text).toBe("{ type: 'pairs' }");
});

test('a body described as a form is sent as a form', () => {
  expect(textOf(respond('multipart/form-data'))).toContain("encoding: 'multipart'");
  expect(textOf(respond('application/json'))).not.toContain('encoding');
});
