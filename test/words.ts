/** A search word and the expected results, checked by test/contract and, with n8n's own search, by test/host. */
export interface Word {
  word: string;
  /** Worst allowed rank in the panel of all nodes in n8n 2 and n8n 1, because other nodes share the word. */
  panel: number;
  /** Worst allowed rank among an agent's tools (n8n 2). */
  tools: number;
  /** First action in the node's own list, if an action contains the word. */
  first?: string;
}

const word = (text: string, first?: string, panel = 1, tools = panel): Word => ({ word: text, first, panel, tools });

export const WORDS: Word[] = [
  word('payment', 'checkout.create'),
  word('pay', 'payee.get', 3, 1),
  word('charge', 'transaction.sale', 3, 2),
  word('charge card', 'transaction.sale'),
  word('charge a card', 'transaction.sale'),
  word('take payment', 'transaction.sale'),
  word('sale', undefined, 3, 3),
  word('card', 'customerCard.create'),
  word('credit card'),
  word('debit card'),
  word('ACH', undefined, 10, 1),
  word('ACH payment'),
  word('eCheck'),
  word('bank account', 'card.updateToken'),
  word('direct debit'),
  word('refund', 'transaction.refund'),
  word('void', 'transaction.void'),
  word('capture', 'transaction.capture'),
  word('reversal'),
  word('money back'),
  word('invoice', 'invoice.send', 2),
  word('bill', undefined, 2, 1),
  word('billing'),
  word('send invoice', 'invoice.send'),
  word('cash', undefined),
  word('check', 'checkout.create', 2, 1),
  word('receipt', 'transaction.emailReceipt'),
  word('settled', 'transaction.getAll', 3),
  word('subscription', 'subscription.get'),
  word('pause subscription', 'subscription.pause'),
  word('resume subscription', 'subscription.resume'),
  word('cancel subscription', 'subscription.cancel'),
  word('recurring', 'subscription.create'),
  word('plan', 'plan.get', 2),
  word('installments'),
  word('autopay'),
  word('checkout', 'checkout.create'),
  word('payment link', 'checkout.create'),
  word('hosted page'),
  word('customer', 'customer.get', 4, 2),
  word('vault', 'customer.getAll'),
  word('token', 'card.tokenize', 2),
  word('tokenize', 'card.tokenize'),
  word('save card', 'card.updateToken'),
  word('card on file'),
  word('balance', 'card.getBalance', 10, 3),
  word('card type', 'card.getType'),
  word('transaction', 'transaction.get'),
  word('report', 'report.getSettlements', 2),
  word('settlement', 'report.getSettlements'),
  word('deposit'),
  word('statement'),
  word('payee', 'payee.get'),
  word('payout', 'transaction.payout'),
  word('pay out', 'transaction.payout'),
  word('send money'),
  word('chargeback', 'dispute.createTestData'),
  word('dispute', 'dispute.createTestData'),
  word('account updater', 'accountUpdater.submit'),
  word('expired card'),
  word('webhook', 'webhook.create', 2, 1),
  word('merchant'),
  word('gateway', undefined, 2, 1),
];
