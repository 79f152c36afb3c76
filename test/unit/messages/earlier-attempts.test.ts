import {
  afterOpenAttempts,
  openButNotStarted,
  refusedLater,
  rememberedFailure,
  unusedCodes,
} from '../../../nodes/PaymentPlatform/messages/earlier-attempts';
import { CORRECT_AND_RUN, failureDescription, headline } from '../../../nodes/PaymentPlatform/output/node-error';
import type { Field } from '../../../nodes/PaymentPlatform/fields/types';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Evidence, Finished, Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';
import { moneyRequest, operationOf } from '../requests';

const refused: Failure = { outcome: 'invalid', message: '"Amount" must be a number', advice: CORRECT_AND_RUN };
const declined: Failure = { outcome: 'declined', message: 'Declined', advice: 'Ask for another payment method.' };
const textOf = (failure: Failure) => `${headline(failure)} ${failureDescription(failure)}`;

test("doesn't advise correcting an item that an earlier attempt completed", () => {
  expect(textOf(refusedLater(refused, { outcome: 'done', records: [] }))).not.toMatch(/run (the node )?again/i);
});

test('advises correcting an item that an earlier attempt partly completed', () => {
  expect(textOf(refusedLater(refused, { outcome: 'done', records: [], inPart: true }))).toContain(CORRECT_AND_RUN);
});

test.each<[string, Parameters<typeof refusedLater>[1]]>([
  ['An earlier attempt completed this item', { outcome: 'done', records: [] }],
  ['An earlier attempt completed part of this item', { outcome: 'done', records: [], inPart: true }],
  ['An earlier attempt sent this item with an unknown outcome', { outcome: 'unknown' }],
  [
    "n8n's database failed, so the node can't tell whether an earlier attempt sent this item",
    { outcome: 'unknown', noted: 'unread' },
  ],
])('the message about a refused item starts with "%s"', (start, known) =>
  expect(refusedLater(refused, known).message).toBe(`${start}. This attempt was refused: ${refused.message}`),
);

test.each([
  ['refused before it is sent', refusedLater(refused, { outcome: 'unknown' }), refused.advice],
  ['declined when a person has it sent again', afterOpenAttempts(declined), declined.advice],
])(
  'limits advice about an item that is %s to the case where its earlier attempt was not applied',
  (_, failure, advice) => {
    const text = textOf(failure);
    expect(text).toContain(`If the earlier attempt was not applied: ${advice}`);
    expect(text).toMatch(/Look up the record before you send the request again\.$/);
    expect(text).not.toMatch(/was sent again|Nothing was sent again/);
  },
);

describe('an item that is not sent because of an earlier attempt', () => {
  const amount = { name: 'amt_tran', label: 'Amount' } as Field;
  const request = {
    ...moneyRequest({ body: { amt_tran: 5 } }),
    operation: operationOf({ fields: [amount] }),
    items: [0],
  } as unknown as PlannedRequest;
  const failureOf = (known: Exclude<Remembered, Finished>) => rememberedFailure(known, request);
  const all: Array<Evidence | undefined> = [
    ...([undefined, 'begun', 'underWay', 'done', 'otherContent', 'sameContent', 'keyBegun', 'forgotten'] as const),
    'otherValues',
  ];
  const unknown = (evidence?: Evidence, code?: string) => failureOf({ outcome: 'unknown', evidence, code });

  test('each kind of evidence about an earlier attempt has its own message', () => {
    const messages = [
      ...all.map((evidence) => unknown(evidence, 'CODE').message),
      failureOf({ outcome: 'unrecognisable', code: 'CODE' }).message,
      failureOf({ outcome: 'unrecognisable' }).message,
      unknown().message,
    ];
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages) expect(message).toContain('sent');
    // An attempt with other values is completed as well.
    expect(unknown('doneOther', 'CODE').message).toBe(unknown('done', 'CODE').message);
  });

  test("an attempt in progress has its own message and no code, because its outcome isn't known yet", () => {
    expect(unknown('underWay')).toMatchObject({
      outcome: 'unknown',
      message:
        'Another attempt in n8n is sending this item now, so this item was not sent. If n8n was stopped, wait a few minutes',
      advice: 'Run this item again when the other attempt has ended.',
    });
    expect(unknown('underWay')).not.toHaveProperty('resolveCode');
    expect(unknown('underWay', 'CODE').message).toBe(unknown('underWay').message);
    expect(unknown('begun').message).toBe(unknown().message);
    expect(unknown().advice).toBe('');
  });

  test('a refusal names the code for Resolve Items, except in a tool', () => {
    expect(unknown('begun', 'CODE')).toMatchObject({
      outcome: 'unknown',
      resolveCode: 'CODE',
      advice: expect.stringContaining('CODE') as string,
    });
    expect(unknown()).not.toHaveProperty('resolveCode');
    expect(unknown().advice).not.toContain('Resolve Items');
  });

  test('a refusal names the code that confirms another account', () => {
    const failure = failureOf({ outcome: 'otherAccount', code: 'CODE' });
    expect(failure).toMatchObject({ outcome: 'invalid', resolveCode: 'CODE' });
    expect(failure.advice).toContain('CODE');
    expect(failure.message).toContain('account');
  });

  test('a refusal names the changed fields and the record of the completed item', () => {
    const finished: Finished = { outcome: 'done', records: [{ pg_id: 'P1', amt_tran: 5 }] };
    const edited = { outcome: 'edited', code: 'CODE' } as const;
    const known = failureOf({ ...edited, differs: ['amt_tran', 'other'], finished });
    expect(known).toMatchObject({
      outcome: 'doneBefore',
      resolveCode: 'CODE',
      pgId: 'P1',
      references: { pg_id: 'P1' },
    });
    expect(known.message).toMatch(/^An earlier attempt completed this item\. "Amount", "other" changed/);
    expect(known.advice).toContain('CODE');
    const open = failureOf({ ...edited, differs: [] });
    expect(open.outcome).toBe('unknown');
    expect(open).not.toHaveProperty('pgId');
    expect(open.message).toMatch(
      /^An earlier attempt sent this item with an unknown outcome\. The parameters of the item changed/,
    );
  });

  test('an item keeps its unknown outcome and gets the reason if the run stopped before the item', () => {
    expect(openButNotStarted('the gate closed')).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('the gate closed') as string,
    });
    expect(openButNotStarted().message).toContain('stopped');
  });
});

describe('the values that a message about an earlier attempt names', () => {
  const operation = operationOf({ lookUp: 'Look for {purchase_id}[ with the number {merch_ref_num}].' });
  const requestOf = (isLasting?: boolean) => {
    const body = { purchase_id: 'NOW', merch_ref_num: 'OWN', amt_tran: 5 };
    const reference = isLasting === undefined ? undefined : { name: 'merch_ref_num', value: 'OWN', isLasting };
    const request = { ...moneyRequest({ body }), operation, items: [0] };
    return { ...request, values: { ...request.values, reference } } as unknown as PlannedRequest;
  };
  const named = (known: Exclude<Remembered, Finished>, isLasting?: boolean) => {
    const { references, lookUp } = rememberedFailure(known, requestOf(isLasting));
    return { references, lookUp };
  };
  const now = {
    references: { amt_tran: '5', merch_ref_num: 'OWN', purchase_id: 'NOW' },
    lookUp: 'Look for NOW with the number OWN.',
  };
  const withoutOwn = { references: { amt_tran: '5', purchase_id: 'NOW' }, lookUp: 'Look for NOW.' };
  const sent = { purchase_id: 'THEN', amt_tran: '4' };
  const then = { references: sent, lookUp: 'Look for THEN.' };
  const nothing = { references: undefined, lookUp: undefined };
  const code = 'CODE';

  test.each<[string, Exclude<Remembered, Finished>, object]>([
    ['the item, if nothing else is stored', { outcome: 'unknown', code }, now],
    ['the open attempt, if its values are stored', { outcome: 'unknown', code, sent }, then],
    ['the open attempt, for an edited item', { outcome: 'edited', code, differs: ['amt_tran'], sent }, then],
    ['nothing, for an edited item without stored values', { outcome: 'edited', code, differs: [] }, nothing],
    ['nothing, if the item may be another item', { outcome: 'unknown', code, evidence: 'otherContent' }, nothing],
    ['nothing, if other values are done', { outcome: 'unknown', code, evidence: 'doneOther', sent }, nothing],
    ['the item, if only the database has evidence', { outcome: 'unknown', code, evidence: 'begun' }, now],
    [
      'nothing, if only the database knows of other values',
      { outcome: 'unknown', code, evidence: 'otherValues' },
      nothing,
    ],
    ['the open attempt, if it sent other values', { outcome: 'unknown', code, evidence: 'otherValues', sent }, then],
    ['the item, with another credential', { outcome: 'unrecognisable', code }, now],
  ])('a message names the values of %s', (_, known, expected) => expect(named(known)).toEqual(expected));

  test('a message leaves out a reference that the earlier attempt may not have sent', () => {
    const begun = { outcome: 'unknown', code, evidence: 'begun' } as const;
    expect(named(begun, true)).toEqual(now);
    expect(named(begun, false)).toEqual(withoutOwn);
    // The attempt of this execution sent the reference.
    expect(named({ outcome: 'unknown', code }, false)).toEqual(now);
  });

  test('a message about the values of a completed item names its record and the sent values', () => {
    const finished: Finished = { outcome: 'done', records: [{ pg_id: 'P1', purchase_id: 'THEN' }] };
    const edited = (more: { sent?: typeof sent }) => named({ outcome: 'edited', code, differs: [], finished, ...more });
    expect(edited({ sent }).references).toEqual({ ...sent, pg_id: 'P1' });
    expect(edited({})).toEqual({ references: { pg_id: 'P1' }, lookUp: undefined });
  });
});

test('a hint names the codes that had no effect', () => {
  expect(unusedCodes(['abc12', 'key-12345'])).toBe(
    '"Resolve Items" contains codes that belong to no attempt of this execution, so they had no effect: abc12, key-12345. Remove them.',
  );
});

describe('an item that is refused in a retry', () => {
  const records = [{ pg_id: 'P1' }];

  test.each<[string, Parameters<typeof refusedLater>[1], string, object]>([
    ['finished', { outcome: 'done', records }, 'doneBefore', { pg_id: 'P1' }],
    ['finished without a record', { outcome: 'done', records: [] }, 'doneBefore', {}],
    ['sent without an answer', { outcome: 'unknown' }, 'unknown', {}],
  ])('a refused item keeps the result of an earlier attempt that is %s', (_, known, outcome, references) => {
    const failure = refusedLater(refused, known);
    expect(failure).toMatchObject({ outcome, references });
    expect(failure.message).toContain(refused.message);
  });

  test('the message about a refused item states the outcome of the earlier attempt', () => {
    const messages = [
      refusedLater(refused, { outcome: 'done', records }),
      refusedLater(refused, { outcome: 'done', records, inPart: true }),
      refusedLater(refused, { outcome: 'unknown' }),
      refusedLater(refused, { outcome: 'unknown', noted: 'place' }),
      refusedLater(refused, { outcome: 'unknown', noted: 'content' }),
    ].map(({ message }) => message);
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages) expect(message).toMatch(/earlier/i);
  });

  test('a refused item has no advice if the refusal has none', () => {
    expect(refusedLater({ ...refused, advice: '' }, { outcome: 'unknown' }).advice).toBe('');
    expect(refusedLater(refused, { outcome: 'done', records }).advice).toBe('');
  });
});

test('an unknown item that is declined when sent again stays unknown, and the message names the decline', () => {
  const failure = afterOpenAttempts(declined);
  expect(failure.outcome).toBe('unknown');
  expect(failure.message).toContain('declined');
  expect(failure.message).toContain(declined.message);
});
