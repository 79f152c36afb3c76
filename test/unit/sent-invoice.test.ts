import { send } from '../../nodes/PaymentPlatform/resources/invoice/send';

test.each([
  ['8001', 8001],
  ['9007199254740993', '9007199254740993'],
  ['426351789012345678', '426351789012345678'],
])('the invoice that was sent keeps every digit of its ID %s', (given, shown) => {
  const values = { path: { invoice_id: given }, body: {}, query: {}, node: {} };
  expect(send.present?.({ code: 0 }, values)).toMatchObject({ invoice_id: shown });
});
