import type { IDataObject } from 'n8n-workflow';

import type { RecordMatcher as RecordMatcherClass } from '../../nodes/PaymentPlatform/lookup/match-records';
import type { ListCache as ListCacheClass, ListReading } from '../../nodes/PaymentPlatform/lookup/list-cache';
import type { LostAnswers as LostAnswersClass } from '../../nodes/PaymentPlatform/lookup/lost-answers';
import type {
  OtherRuns as OtherRunsClass,
  TakenRecords as TakenRecordsClass,
} from '../../nodes/PaymentPlatform/lookup/record-owners';
import type { Answer } from '../../nodes/PaymentPlatform/model/failure';
import type { Footprint, OwnReference, WriteValues } from '../../nodes/PaymentPlatform/model/footprint';
import type { Likeness } from '../../nodes/PaymentPlatform/model/likeness';
import type { PlannedRequest } from '../../nodes/PaymentPlatform/model/types';
import type { KeyRow as KeyRowClass } from '../../nodes/PaymentPlatform/n8n/key-row';
import type { DatabaseKeys as DatabaseKeysClass } from '../../nodes/PaymentPlatform/once/database-keys';
import type { ExecutionMemory as ExecutionMemoryClass } from '../../nodes/PaymentPlatform/once/execution-memory';
import type { MemoryEntry } from '../../nodes/PaymentPlatform/once/memory-entry';
import type { References as ReferencesClass } from '../../nodes/PaymentPlatform/once/make-reference';
import type {
  Digests as DigestsClass,
  OnceKeys,
  WriteKeys as WriteKeysClass,
} from '../../nodes/PaymentPlatform/once/write-keys';
import { replace, shipped } from './defects';
import { movingOperations, type MoneyName } from './money';
import type { Schedule } from './schedule';

const { RecordMatcher } = shipped<{ RecordMatcher: typeof RecordMatcherClass }>('lookup/match-records');
const { ListCache } = shipped<{ ListCache: typeof ListCacheClass }>('lookup/list-cache');
const { LostAnswers } = shipped<{ LostAnswers: typeof LostAnswersClass }>('lookup/lost-answers');
const { OtherRuns, TakenRecords } = shipped<{
  OtherRuns: typeof OtherRunsClass;
  TakenRecords: typeof TakenRecordsClass;
}>('lookup/record-owners');
const { KeyRow } = shipped<{ KeyRow: typeof KeyRowClass }>('n8n/key-row');
const { ExecutionMemory } = shipped<{ ExecutionMemory: typeof ExecutionMemoryClass }>('once/execution-memory');
const { References } = shipped<{ References: typeof ReferencesClass }>('once/make-reference');
const answers = shipped('service/decode-response');
const footprints = shipped('model/footprint');
const identity = shipped('model/identity');
const lineage = shipped('n8n/lineage');
const operations = shipped('model/operation');
const { invoiceFootprint } = shipped<{ invoiceFootprint: { occupies: () => boolean } }>('resources/invoice/footprint');
const { DatabaseKeys } = shipped<{ DatabaseKeys: typeof DatabaseKeysClass }>('once/database-keys');
const { Digests, WriteKeys } = shipped<{ Digests: typeof DigestsClass; WriteKeys: typeof WriteKeysClass }>(
  'once/write-keys',
);
const likeness = shipped('model/likeness');
const amounts = shipped('model/read-amounts');
const reported = shipped('resources/transaction/report-record');

type Compared = [Footprint, IDataObject, WriteValues];

const likenessBy = (change: (like: Likeness, given: Compared) => Likeness): void =>
  replace<Compared, Likeness>(footprints, 'likenessOf', (like, given) => change(like(...given), given));

/** Makes References.of return another value. */
const referenceBy = (value: (request: PlannedRequest) => string): void =>
  replace<[PlannedRequest, number, string?], OwnReference | undefined>(References.prototype, 'of', (of, given) => {
    const made = of(...given);
    return made && given[2] === undefined ? { ...made, value: value(given[0]) } : made;
  });

function footprintOf(name: MoneyName): Footprint {
  const { footprint } = movingOperations().find(({ value }) => value === name) ?? {};
  if (!footprint) throw new Error(`The operation "${name}" has no footprint`);
  return footprint;
}

/** Makes the look-up of a lost response accept a record with different values. */
function ignoreInLookUp(name: MoneyName, asSent: (values: WriteValues) => IDataObject): void {
  const footprint = footprintOf(name);
  jest.spyOn(footprint, 'filter').mockReturnValue([]);
  if (footprint.keysOf) jest.spyOn(footprint as Required<Footprint>, 'keysOf').mockReturnValue([]);
  replace<[IDataObject, WriteValues], Likeness[]>(footprint, 'compare', (compare, [record, values]) =>
    compare({ ...record, ...asSent(values) }, values),
  );
  withoutReferenceOfNode();
}

/** Without the node's own reference, only the compared values tell records apart. */
const withoutReferenceOfNode = (): void => {
  replace<[Footprint, IDataObject, WriteValues], Likeness>(footprints, 'likenessOf', (like, [of, record, values]) =>
    like(of, record, { ...values, reference: undefined }),
  );
};

const linked = ({ path }: WriteValues) => ({ pg_id_linked: path.pgIdOrig });
const referred = ({ body }: WriteValues) => ({ merch_ref_num: body.merch_ref_num });

/** Root causes of payments that were taken for others. Each function plants a defect, as in defects.ts. */
export const IDENTITY_DEFECTS: Record<string, () => void> = {
  'a lost capture is found by any capture of the amount': () => ignoreInLookUp('capture', linked),
  'a lost void is found by any void': () => ignoreInLookUp('void', linked),
  'a lost recharge is found by any recharge of the amount': () => ignoreInLookUp('recharge', linked),
  'a lost authorization is found by any authorization of the amount': () => ignoreInLookUp('authorize', referred),
  'a lost payout is found by any payout of the amount': () => ignoreInLookUp('payout', referred),
  'a lost forced sale is found by any forced sale of the amount': () => ignoreInLookUp('force', referred),
  'a lost credit is found by any credit': () =>
    ignoreInLookUp('credit', ({ body }) => ({ ...referred({ path: {}, body }), amt_tran: body.amt_tran })),
  'a record of another customer counts as proof': () => {
    jest.spyOn(reported as { likePayer: () => Likeness }, 'likePayer').mockReturnValue('equal');
  },
  'a record of another payee counts as proof': () => {
    jest.spyOn(reported as { likeHolder: () => Likeness }, 'likeHolder').mockReturnValue('equal');
  },
  'a record of another card counts as proof': () => {
    jest.spyOn(likeness as { likeNumber: () => Likeness }, 'likeNumber').mockReturnValue('equal');
  },
  'a record in another currency counts as proof': () => {
    jest.spyOn(likeness as { likeCurrency: () => Likeness }, 'likeCurrency').mockReturnValue('equal');
  },
  'a record with another amount counts as proof': () => {
    jest.spyOn(likeness as { likeAmount: () => Likeness }, 'likeAmount').mockReturnValue('equal');
  },
  'a value that a record does not show counts as equal': () => {
    likenessBy((like) => (like === 'notShown' ? 'equal' : like));
  },
  'the customer or payee is not read before records are compared': () => {
    replace<[Footprint, WriteValues, ListReading], unknown>(
      ListCache.prototype,
      'complete',
      async (_, given) => await Promise.resolve('failure' in given[2] ? given[2] : { ...given[2], values: given[1] }),
    );
    likenessBy((like) => (like === 'notShown' ? 'equal' : like));
  },
  "a payment on behalf of another merchant is looked up among the own merchant's records": () => {
    jest.spyOn(operations as { isOwnMerchant: () => boolean }, 'isOwnMerchant').mockReturnValue(true);
  },
  'the reference of an item depends on its position': () =>
    referenceBy(({ items: [item = 0] }) => `POSITION${String(item).padStart(12, '0')}`),
  'the reference of an item changes between attempts': () => {
    // The comparison of both attempts' payments would hide the defect.
    jest.spyOn(Digests.prototype, 'payment').mockReturnValue('any');
    let made = 0;
    referenceBy(() => `R${String((made += 1)).padStart(19, '0')}`);
  },
  'the number of another invoice is free': () => {
    jest.spyOn(invoiceFootprint, 'occupies').mockReturnValue(false);
  },
  'a key of another payment counts as a key of the same payment': () => {
    replace<[PlannedRequest], OnceKeys>(WriteKeys.prototype, 'once', (once, given) => {
      const keys = once(...given);
      return { ...keys, payment: `payment ${keys.key}`, done: `done ${keys.key}` };
    });
  },
  'a partial approval is shown in full': () => {
    jest
      .spyOn(amounts as { approvedAmount: (record: IDataObject, asked: unknown) => unknown }, 'approvedAmount')
      .mockImplementation((record, asked) => record.amt_tran ?? asked);
  },
  'an execution drops the codes of its records': () => {
    jest.spyOn(TakenRecords.prototype, 'add').mockImplementation(function (this: TakenRecordsClass, id) {
      this.take(id);
    });
  },
  'a write that is under way is sent again': () => {
    jest.spyOn(KeyRow.prototype, 'isBusy').mockResolvedValue(false);
  },
  'a key with an unknown outcome is sent again without a look-up': () => {
    replace<[PlannedRequest, boolean], Promise<Answer | undefined>>(
      LostAnswers.prototype,
      'ofKey',
      async (ofKey, given) => (given[0].options.unknownOutcome === 'resend' ? undefined : await ofKey(...given)),
    );
  },
  'a decision is valid for every execution': () => {
    jest.spyOn(lineage as { decisionNames: () => string[] }, 'decisionNames').mockReturnValue(['always']);
  },
  'a decision is valid for every attempt': () => {
    replace<[PlannedRequest, MemoryEntry], string[]>(ExecutionMemory.prototype, 'codesOf', (codes, [request, entry]) =>
      codes(request, { ...entry, releases: 0, openAttempts: 0, resolvedBy: undefined }),
    );
  },
  'the wording of a tool call identifies the payment': () => {
    replace<[PlannedRequest], unknown>(identity, 'identifyWrite', (identify, [request]) => [
      identify(request),
      request.values.body,
    ]);
  },
  'the execution forgets which records belong to its items': () => {
    jest.spyOn(TakenRecords.prototype, 'has').mockReturnValue(false);
  },
  'a record may belong to another execution': () => {
    jest.spyOn(OtherRuns.prototype, 'isOwned').mockReturnValue(false);
    jest.spyOn(OtherRuns.prototype, 'rivals').mockReturnValue([]);
    jest.spyOn(DatabaseKeys.prototype, 'hasEqualElsewhere').mockResolvedValue(false);
  },
  'a record may belong to another item of the run': () => {
    jest.spyOn(RecordMatcher.prototype as unknown as { rivals: () => [] }, 'rivals').mockReturnValue([]);
  },
  'the response is not compared with the request': () => {
    replace<[PlannedRequest, Answer], Answer>(answers, 'checkAnswer', (_, [, answer]) => answer);
  },
  'fees do not count toward the limits': () => {
    for (const name of ['amountOf', 'amountsOf'])
      replace<[PlannedRequest], unknown>(amounts, name, (read, [request]) => {
        const body = { ...request.values.body, amt_convenience_fee: undefined };
        return read({ ...request, values: { ...request.values, body } });
      });
  },
};

const hasKey = ({ options }: Schedule) => options.oncePerKey === true;
const resends = ({ options, retries }: Schedule) =>
  options.resend || retries.some(({ doings }) => doings.some(({ kind }) => kind === 'resend'));
const isAlike = ({ alike }: Schedule) => alike !== undefined;
const startsAnew = ({ retries }: Pick<Schedule, 'retries'>) => retries.some(({ isNew }) => isNew);
const decides = ({ retries }: Schedule) => retries.some(({ doings }) => doings.some(({ kind }) => kind === 'resolve'));

/** Conditions under which random tests can reveal a defect. */
export const SCHEDULES_OF_IDENTITY: Record<string, (schedule: Schedule) => boolean> = {
  'a record of another customer counts as proof': isAlike,
  'a record of another payee counts as proof': isAlike,
  'a record of another card counts as proof': ({ items }) => items.some(({ hasCard }) => hasCard),
  'a partial approval is shown in full': isAlike,
  'a record in another currency counts as proof': ({ items }) => items.some(({ currency }) => currency !== undefined),
  'a value that a record does not show counts as equal': isAlike,
  'the customer or payee is not read before records are compared': isAlike,
  "a payment on behalf of another merchant is looked up among the own merchant's records": ({ alike }) =>
    alike?.linked !== undefined,
  'the reference of an item depends on its position': ({ host, retries, alike, twinMs }) =>
    alike?.reference === undefined && (host !== undefined || twinMs !== undefined || startsAnew({ retries })),
  'the reference of an item changes between attempts': resends,
  'a write that is under way is sent again': (schedule) =>
    resends(schedule) &&
    (schedule.twinMs !== undefined || schedule.retries.some(({ alongMs }) => alongMs !== undefined)),
  'a key with an unknown outcome is sent again without a look-up': (schedule) => hasKey(schedule) && resends(schedule),
  'a decision is valid for every execution': (schedule) => startsAnew(schedule) && decides(schedule),
  'a decision is valid for every attempt': decides,
  'the wording of a tool call identifies the payment': ({ caller }) => caller !== 'items',
  'the execution forgets which records belong to its items': ({ runs }) => runs > 1,
  'a record may belong to another execution': ({ twinMs, options }) => twinMs !== undefined && !options.oncePerKey,
  'fees do not count toward the limits': ({ items }) => items.some(({ fee }) => fee !== undefined),
};

/** Operations with which the simulator finds a defect faster. */
export const OPERATION_OF_IDENTITY: Record<string, MoneyName> = {
  'a lost capture is found by any capture of the amount': 'capture',
  'a lost void is found by any void': 'void',
  'a lost recharge is found by any recharge of the amount': 'recharge',
  'a lost authorization is found by any authorization of the amount': 'authorize',
  'a lost payout is found by any payout of the amount': 'payout',
  'a lost forced sale is found by any forced sale of the amount': 'force',
  'a lost credit is found by any credit': 'credit',
  'a record of another customer counts as proof': 'sale',
  'a record of another payee counts as proof': 'payout',
  'a record of another card counts as proof': 'sale',
  'a partial approval is shown in full': 'recharge',
  'a record in another currency counts as proof': 'sale',
  'a value that a record does not show counts as equal': 'authorize',
  'the customer or payee is not read before records are compared': 'payout',
  "a payment on behalf of another merchant is looked up among the own merchant's records": 'sale',
  'the reference of an item depends on its position': 'sale',
  'the reference of an item changes between attempts': 'sale',
  'fees do not count toward the limits': 'sale',
};
