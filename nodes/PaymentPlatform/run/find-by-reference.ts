import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { BY_REFERENCE, UnresolvedReference } from '../fields/kinds/locator';
import type { Problem } from '../fields/types';
import { describe, isEmpty, parameterName } from '../fields/value';
import type { Failure } from '../model/failure';
import type { RunOptions } from '../model/option-types';
import type { Account, Look, Operation, ReferenceSearch } from '../model/types';
import type { Gate } from '../service/gate';
import { lookUp, notWhole } from '../service/look-up';
import { adjustPace, sendWithRetries } from '../service/send';
import { asText, isObject } from '../shared/objects';

/** ID, or the problem with the reference. */
type Found = ReturnType<ReferenceSearch['choose']>;

interface Looking {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  gate: Gate;
}

/**
 * Finds the records of the references that users enter instead of IDs. The node finds all records before it plans any
 * write, so that every check knows the ID.
 */
export class RecordsByReference {
  private readonly found = new Map<string, Found | undefined>();

  constructor(private readonly search: ReferenceSearch) {}

  /** Whether the node has to read records before it can plan the items. */
  get areMissing(): boolean {
    return [...this.found.values()].includes(undefined);
  }

  /**
   * Replaces a reference with the ID of its record.
   * @returns `undefined` for another value, and if the node has to read the record first.
   */
  resolve(given: unknown): IDataObject | undefined {
    if (!isReference(given) || isEmpty(given.value)) return undefined;
    const reference = asText(given.value).trim();
    const found = this.found.get(reference);
    if (!found) {
      this.found.set(reference, undefined);
      return undefined;
    }
    if ('id' in found) return { ...given, value: found.id };
    return { ...given, value: new UnresolvedReference(describe(reference), found.allowed) };
  }

  /** Refuses references of another merchant, because the service lists only the credential's own records. */
  static ofOtherMerchant({ fields }: Pick<Operation, 'fields'>, parameters: IDataObject): Problem[] {
    return fields.flatMap((field) => {
      const given = parameters[parameterName(field)];
      if (!isReference(given)) return [];
      const allowed = "must be an ID, because the node searches only the records of the credential's merchant";
      return [{ label: field.label, found: 'a reference', allowed }];
    });
  }

  /** Reads the records of all references, several at a time. */
  async read(reading: Looking): Promise<void> {
    const read = async (reference: string) => {
      this.found.set(reference, await this.find(reading, reference));
    };
    await Promise.all([...this.found.keys()].map(read));
  }

  private async find(reading: Looking, reference: string): Promise<Found> {
    const looks = this.search.looks(reference);
    if (looks.length === 0)
      return { allowed: 'must not contain a comma or "|", because the service can\'t search for it' };
    const records = new Map<string, IDataObject>();
    for (const look of looks) {
      const seen = await readAll(reading, look).catch(() => undefined);
      if (!Array.isArray(seen)) return { allowed: `could not be looked up${seen ? `: ${seen.message}` : ''}` };
      for (const record of seen) records.set(asText(record[look.list?.identity ?? '']), record);
    }
    return this.search.choose([...records.values()], reference);
  }
}

const isReference = (given: unknown): given is IDataObject => isObject(given) && given.mode === BY_REFERENCE;

/** Reads a whole list. Retries after temporary faults. */
async function readAll({ context, account, options, gate }: Looking, look: Look): Promise<IDataObject[] | Failure> {
  let records: IDataObject[] = [];
  const looking = {
    context,
    account,
    options,
    answered: (answer: Parameters<typeof adjustPace>[1]) => {
      adjustPace(gate, answer);
    },
  };
  const answer = await sendWithRetries({ effect: 'reads', patience: options, gate }, async () => {
    const seen = await lookUp(looking, look);
    if ('failure' in seen) return seen;
    if (seen.note !== undefined) return { ok: false, failure: notWhole(seen.note) };
    ({ records } = seen);
    return { ok: true, record: {} };
  });
  return answer.ok ? records : answer.failure;
}
