import { useLabels } from '../../../nodes/PaymentPlatform/messages/describe-failure';
import { resources } from '../../../nodes/PaymentPlatform/resources';

const operation = (resource: string, value: string) => {
  const found = resources.find((one) => one.value === resource)?.operations.find((one) => one.value === value);
  if (!found) throw new Error(`${resource}: ${value}`);
  return found;
};
const invoice = operation('invoice', 'create');

describe("labels in the service's text", () => {
  test.each([
    [
      'customer_id is not in the vault; save_customer must be true',
      '"Customer" is not in the vault; "Save Customer" must be true',
    ],
    ['line_items[1].unit_cost must be a number', '"Line Items 2 > Unit Cost" must be a number'],
    ['"line_items[0].quantity" is missing', '"Line Items 1 > Quantity" is missing'],
    ['billing_contact.email_address is wrong', '"Billing Contact > Email (Required)" is wrong'],
    ['line_items.3.other_name is unknown', '"Line Items 4" is unknown'],
    ['unit_cost is missing', '"Line Items > Unit Cost" is missing'],
  ])("labels in the service's text replace the names in: %s", (given, wanted) => {
    expect(useLabels(given, invoice)).toBe(wanted);
  });

  test("the service's text keeps names without a field and other quoted text", () => {
    const text = 'pg_id 12 of "Item 1" and merchant_id "x" at 10:30';
    expect(useLabels(text, invoice)).toBe(text);
  });

  test("in the service's text, labels replace names that could be words only in quotes", () => {
    const payment = operation('invoice', 'addPayment');
    expect(useLabels('"type" must be CHECK: this type is closed', payment)).toBe(
      '"Payment Type" must be CHECK: this type is closed',
    );
  });
});
