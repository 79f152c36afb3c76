import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { operationParameters } from '../../../nodes/PaymentPlatform/panel/node-properties';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile, toErrors } from '../bench';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const VISA = '4111111111111111';
const MASTERCARD = '5555555555554444';

/** Requests whose card ID comes from tokenizing and not from the vault. */
const TAKE_TOKENS = ['tokenize', 'expireToken', 'addBillingCard'];
const { run, sent } = benchOf(sandbox, { parameters: { resource: 'card' } });
const failures = (items: Array<{ json: IDataObject }> | undefined) =>
  items?.map(({ json }) => json.error as IDataObject) ?? [];

async function cardId(): Promise<IDataObject[string]> {
  const { items } = await run({ operation: 'tokenize', card_number: VISA, exp_date: '12/30' });
  return items[0]?.json.card_id;
}

describe('the type of a card', () => {
  const look: INodeParameters = { operation: 'getType', card_number: '={{ $json.number }}' };

  test('the card type is returned in words, and a wrong number does not stop the other items', async () => {
    const rows = [{ number: VISA }, { number: '4111111111111112' }, { number: MASTERCARD }];
    const { items, errors } = await run(look, rows, toErrors);
    expect(items.map(({ json }) => [json.funding_source, json.funding_source_text, json.issuer_country])).toEqual([
      ['C', 'credit', 'US'],
      ['D', 'debit', 'US'],
    ]);
    expect(failures(errors)).toEqual([expect.objectContaining({ rcode: '108' })]);
    expect(JSON.stringify([items, failures(errors)])).not.toMatch(/4111111111111|5555555555554/);
  });

  test('the card type is read again after a failure of the service', async () => {
    sandbox.control.addFault({ kind: 'status', status: 500, operationId: 'getCardType', calls: [1] });
    const { items, error } = await run(look, [{ number: VISA }]);
    expect(error).toBeUndefined();
    expect(items).toHaveLength(1);
    expect(sent('getCardType')).toHaveLength(2);
  });
});

test('the balance of a prepaid account is returned as a number', async () => {
  const { items } = await run({ operation: 'getBalance', fbo_id: 7001 });
  expect(items[0]?.json.amt_balance).toBe(1000);
});

test('an unknown prepaid account causes an error that names the account', async () => {
  const { error } = await run({ operation: 'getBalance', fbo_id: 7002 });
  expect(`${error?.message} ${error?.description}`).toContain('fbo_id');
});

describe('a card ID that only tokenizing returns', () => {
  const ids = resources.flatMap(({ value, operations }) =>
    operations
      .filter(({ request: { operationId = '' } }) => TAKE_TOKENS.includes(operationId))
      .flatMap((operation) =>
        operationParameters(operation)
          .filter(({ name }) => /card_id$/.test(name))
          .map(({ name, type }) => [`${value}.${operation.value}`, name, type]),
      ),
  );

  test('a card ID from tokenizing is not offered in a list, because the list contains only cards of the vault', () => {
    expect(ids).toEqual([
      ['customerCard.create', 'tokenized_card_id', 'string'],
      ['card.updateToken', 'tokenized_card_id', 'string'],
      ['card.expireToken', 'tokenized_card_id', 'string'],
    ]);
  });

  test.each([
    ['updateToken', { exp_date: '01/33' }],
    ['expireToken', {}],
  ] as const)('%s refuses the ID of a card in the vault', async (operation, more) => {
    const [vaultCard] = sandbox.control.state().customers[0]?.billing_cards ?? [];
    const { error } = await run({ operation, tokenized_card_id: vaultCard?.card_id ?? '', ...more });
    expect(error?.context?.data).toMatchObject({ outcome: 'declined', rcode: '405' });
  });
});

describe('a card ID that expires', () => {
  const expire: INodeParameters = { operation: 'expireToken', tokenized_card_id: '={{ $json.card_id }}' };

  test("an expired card ID can't be used, and a second request reports that no active card has the ID", async () => {
    const rows = [{ card_id: await cardId() }];
    const { items, error } = await run(expire, rows);
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      what_happened: 'Expired the card ID, so the service accepts no new payments with this ID.',
      card_id: rows[0]?.card_id,
    });
    const again = await run(expire, rows);
    expect(again.error?.message).toContain('No active card has this ID. The ID may already have expired');
    const update: INodeParameters = {
      operation: 'updateToken',
      tokenized_card_id: asText(rows[0]?.card_id),
      exp_date: '01/33',
    };
    expect((await run(update)).error).toBeDefined();
  });

  test('a card ID is expired once under Retry On Fail, and a lost response stays unknown', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'expireToken' });
    const rows = [{ card_id: await cardId() }];
    const { error } = await run(expire, rows, {
      settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
      looksUp: true,
    });
    expect(error?.description).toContain('outcome is unknown');
    expect(sent('expireToken')).toHaveLength(1);
  });

  test('a card ID in the wrong format is refused before anything is sent', async () => {
    const { error } = await run(expire, [{ card_id: 'not-an-id' }]);
    expect(error?.message).toContain('must be a card ID');
    expect(sent('expireToken')).toEqual([]);
  });
});

describe('a card that is verified', () => {
  const verify: INodeParameters = {
    operation: 'verify',
    card_number: '={{ $json.number }}',
    exp_date: '12/30',
    cvv2: '={{ $json.cvv ?? "123" }}',
    avs_address: '1 Mill Road',
    avs_zip: '={{ $json.zip ?? "97477" }}',
  };

  test('a card is verified with code 085, and the address and security code results are described in words', async () => {
    const rows = [{ number: VISA }, { number: '4000000000000002' }, { number: MASTERCARD, zip: '99999', cvv: '000' }];
    const { items, errors } = await run(verify, rows, toErrors);
    expect(items.map(({ json }) => json)).toEqual([
      expect.objectContaining({
        what_happened: 'The issuer has no objection to the card: street and ZIP code match.',
        rcode: '085',
        auth_avs_result: 'Y',
        auth_avs_result_text: 'street and ZIP code match',
        auth_cvv2_result_text: 'security code matches',
      }),
      expect.objectContaining({
        auth_avs_result_text: 'street matches, ZIP code does not',
        auth_cvv2_result_text: 'security code does not match',
      }),
    ]);
    expect(failures(errors)).toEqual([expect.objectContaining({ rcode: '005', outcome: 'declined' })]);
    expect(JSON.stringify([items, failures(errors)])).not.toMatch(/4111111111111|5555555555554/);
  });

  test('verifying a card sends no amount and saves the card if the user chose to', async () => {
    const { items } = await run({ ...verify, additionalFields: { tokenize: true } }, [{ number: VISA }]);
    expect(Object.keys(sent('verifyCard')[0]?.body as IDataObject)).not.toContain('amt_tran');
    const saved = { operation: 'verify', paymentMethod: 'savedCard', card_id: idOf(items[0]?.json.card_id) };
    expect((await run(saved)).items[0]?.json).toMatchObject({
      rcode: '085',
      auth_avs_result_text: 'issuer has no address',
    });
  });

  test('a verified card is not saved a second time', async () => {
    const card_id = idOf(await cardId());
    const { error } = await run({
      ...verify,
      paymentMethod: 'savedCard',
      card_id,
      additionalFields: { tokenize: true },
    });
    expect(error?.message).toContain('"Save Card"');
    expect(sent('verifyCard')).toEqual([]);
  });

  test('a verification is sent once under Retry On Fail if the response is lost', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'verifyCard' });
    const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
    const { error } = await run(verify, [{ number: VISA }], { settings, looksUp: true });
    expect(error?.description).toContain('outcome is unknown');
    expect(sent('verifyCard')).toHaveLength(1);
  });
});
