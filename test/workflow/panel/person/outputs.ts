import Ajv, { type ValidateFunction } from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { outputSchema, type OutputSchema } from '../../../../interface/generate/output-schema';
import { secretOutputFields } from '../../../../interface/generate/secrets';
import type { Field } from '../../../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../../../nodes/PaymentPlatform/fields/value';
import { makesPayment } from '../../../../nodes/PaymentPlatform/model/identity';
import { declaredFields, recordName } from '../../../../nodes/PaymentPlatform/model/operation';
import { FOUND } from '../../../../nodes/PaymentPlatform/lookup/lost-answers';
import type { Operation } from '../../../../nodes/PaymentPlatform/model/types';
import { misfits } from '../../../meanings';

const closed = ({ properties, items, ...rest }: OutputSchema): object => ({
  ...rest,
  ...(items && { items: closed(items) }),
  ...(properties && {
    properties: Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, closed(own)])),
    ...(Object.keys(properties).length > 0 && { additionalProperties: false }),
  }),
});

/** Accepted deviation, because the time zone is undocumented (service.md#values). */
const UNKNOWN_ZONE = /^\[\d+\]\.(db|mod)_timestamp is no instant: "\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$/;

/** Secret output fields, which an operation returns only on request. */
const SECRETS = new Set(secretOutputFields());

const ajv = new Ajv({ strict: false, allErrors: true });

export class Outputs {
  private readonly checks = new Map<boolean, ValidateFunction>();
  private readonly seen = new Set<boolean>();
  private readonly fields: Field[];
  private readonly simplifiedSchema: OutputSchema | undefined;

  constructor(private readonly operation: Operation) {
    this.fields = declaredFields(operation);
    this.simplifiedSchema = outputSchema(operation);
  }

  problemsOf(records: IDataObject[], parameters: INodeParameters): string[] {
    const simplify = parameters.simplify !== false;
    if (records.length === 0) return [];
    if (parameters.returnAs === 'file') return records.flatMap((record) => missingIn(record));
    this.seen.add(simplify);
    const beside = this.beside(parameters);
    const validate = this.checkOf(simplify);
    const wrong = records.flatMap((record) => {
      const shown = Object.fromEntries(Object.entries(record).filter(([name]) => !beside.has(name)));
      return validate(shown) ? [] : (validate.errors ?? []);
    });
    return [
      ...wrong.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`),
      ...misfits(records).filter((one) => !UNKNOWN_ZONE.test(one)),
    ];
  }

  /** Returns the settings of Simplify for which no run has returned a record. */
  get unseen(): string[] {
    const ways = this.operation.simplified ? [true, false] : [true];
    return ways.filter((simplify) => !this.seen.has(simplify)).map((simplify) => `Simplify ${simplify ? 'on' : 'off'}`);
  }

  /** Returns the output fields that the schema may omit, such as secrets that an option adds. */
  private beside(parameters: INodeParameters): Set<string> {
    const { properties = {} } = this.simplifiedSchema ?? {};
    const given = this.fields.filter(({ reference }) => reference).map(recordName);
    const asksForMore = this.fields.some((field) => field.place === 'node' && isOn(parameters, parameterName(field)));
    // Only a repeated payment has this field.
    const ofPayment = makesPayment(this.operation) ? ['notice'] : [];
    return new Set([
      FOUND,
      ...ofPayment,
      ...given.filter((name) => !(name in properties)),
      ...(asksForMore ? SECRETS : []),
    ]);
  }

  private checkOf(simplify: boolean): ValidateFunction {
    const known = this.checks.get(simplify);
    if (known) return known;
    const schema = outputSchema(this.operation, !simplify);
    if (!schema) throw new Error(`${this.operation.value} has no output schema`);
    const check = ajv.compile(closed(schema));
    this.checks.set(simplify, check);
    return check;
  }
}

const ABOUT_FILE = ['what_happened', 'records', 'file_name', 'file_format', 'is_complete', 'hints'];

const missingIn = (record: IDataObject): string[] =>
  ABOUT_FILE.filter((name) => record[name] === undefined).map((name) => `The item of a file lacks ${name}`);

const isOn = (parameters: object, name: string): boolean =>
  Object.entries(parameters).some(
    ([own, value]: [string, unknown]) =>
      (own === name && value === true) || (typeof value === 'object' && value !== null && isOn(value, name)),
  );
