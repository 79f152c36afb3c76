import { exampleFiles } from '../../host/examples';
import { describeCheckoutWait } from './checkout-wait';
import { exampleBench } from './example-bench';
import { describeExampleEvents } from './example-events';
import { describeExampleRuns } from './example-runs';
import { version } from './host';

describe(`the examples in ${version}`, () => {
  const bench = exampleBench();
  for (const describePart of [describeExampleRuns, describeExampleEvents, describeCheckoutWait]) describePart(bench);
});

test('executes every example in a test', () => {
  expect(exampleFiles().sort()).toEqual([
    'card-updates.json',
    'cards-expiring.json',
    'cards-to-updater.json',
    'checkout-link.json',
    'checkout-wait.json',
    'crm-customers.json',
    'crm-invoices.json',
    'dispute-responses.json',
    'invoice-dunning.json',
    'invoice-paid.json',
    'monthly-reconciliation.json',
    'nightly-transactions.json',
    'order-authorization.json',
    'overdue-to-csv.json',
    'refund-approval.json',
    'sample-events.json',
    'subscription-churn.json',
    'subscription-sign-up.json',
    'subscription-suspended.json',
    'support-agent.json',
  ]);
});
