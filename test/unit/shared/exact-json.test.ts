import { decode } from '../../../nodes/PaymentPlatform/service/decode-response';
import { fetchList } from '../../../nodes/PaymentPlatform/service/fetch-list';
import { maskRecord } from '../../../nodes/PaymentPlatform/messages/scrubber';
import { exactJson } from '../../../nodes/PaymentPlatform/shared/objects';
import { readPayload } from '../../../nodes/PaymentPlatform/trigger/delivery';

const [ONE, TWO, THREE] = ['426351789012345677', '426351789012345678', '426351789012345679'];

test.each([
  ['an ID of 18 digits', `{"rec_id":${TWO}}`, { rec_id: TWO }],
  ['several in a list, at any depth', `[${ONE},{"a":[ ${TWO} ]},${THREE}]`, [ONE, { a: [TWO] }, THREE]],
  ['a negative one', `{"a":-${TWO}}`, { a: `-${TWO}` }],
  ['the first that is rounded', '[9007199254740992,9007199254740991]', ['9007199254740992', 9007199254740991]],
  ['one that stands alone', TWO, TWO],
])('reads %s as text if digits would be lost', (_, text, value) => {
  expect(exactJson(text)).toEqual(value);
});

test.each([
  ['numbers that fit', '{"id":7001,"amt":10.5,"n":-0,"big":1234567890123456}'],
  ['a decimal', '{"amt":1234567890.1234567,"rate":0.12345678901234567}'],
  ['a number with an exponent', '{"a":1e30,"b":1234567890123456e5,"c":1.5E-20}'],
  ['digits in a text', `{"a":"${TWO}","b":"no. ${TWO}, ${ONE}","${THREE}":"x"}`],
  ['digits in a text with quotes and backslashes', JSON.stringify({ a: `"${TWO}\\"`, [`k"${ONE}`]: `\\"${TWO}` })],
  ['a text without digits', '{"a":"b"}'],
])('reads %s like JSON.parse', (_, text) => {
  expect(exactJson(text)).toEqual(JSON.parse(text));
});

test.each(['', '{"a":', `{"a":"${TWO}`, `{"a" ${TWO}}`, `{"a":0${TWO}}`])('refuses %p as JSON', (text) => {
  expect(exactJson(text)).toBeUndefined();
});

const page = `{"code":0,"message":"Success","totalRecords":3,"data":[{"rec_id":${ONE}},{"rec_id":${TWO}},{"rec_id":${THREE}}]}`;
const records = [{ rec_id: ONE }, { rec_id: TWO }, { rec_id: THREE }];

test('keeps every digit of a response', () => {
  expect(decode('platform', { status: 200, headers: {}, body: page })).toEqual({
    ok: true,
    record: records,
    totalRecords: 3,
  });
});

test('distinguishes three records whose IDs differ in the last digit', async () => {
  const read = async () => await Promise.resolve(decode('platform', { status: 200, headers: {}, body: page }));
  expect(await fetchList({ identity: 'rec_id', fields: [] }, undefined, read)).toEqual({ records, total: 3 });
});

test('keeps every digit of an event', () => {
  const payload = readPayload(Buffer.from(`{"event":"dispute_update","data":{"rec_id":${TWO}}}`));
  expect(payload).toEqual({ payload: { event: 'dispute_update', data: { rec_id: TWO } } });
});

test('keeps every digit in JSON text with a masked value', () => {
  const fields = `[{"name":"dda_number","value":"90817263541"},{"name":"pg_id","value":${TWO}}]`;
  expect(maskRecord({ echo_fields: fields }).echo_fields).toBe(
    `[{"name":"dda_number","value":"x3541"},{"name":"pg_id","value":"${TWO}"}]`,
  );
});
