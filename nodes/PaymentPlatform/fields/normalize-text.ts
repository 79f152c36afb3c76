import type { IDataObject } from 'n8n-workflow';

import { objectIn } from '../shared/objects';
import { jsonName } from './editor';
import { objectsFromFields, wrappedIn } from './given-objects';
import type { Field, GroupField, ValueField } from './types';
import { parameterName, rawValue } from './value';

/** What stands in a parameter, as it was written and not evaluated. */
export interface NormalizedText {
  /** As a problem names it: "Line Items 2 > Unit Cost". */
  label: string;
  text: unknown;
  /** Whether it may hold what must stay private. */
  secret: boolean;
  /** Whether the text is the value alone, and no JSON with other values around it. */
  alone: boolean;
}

/** What was written into the parameters of fields, at any depth, by the labels that problems have (see `readFields`). */
export const normalizeText = (fields: readonly Field[], parameters: IDataObject): NormalizedText[] =>
  fields.flatMap((field) => writtenFor(field, parameters));

function writtenFor(field: Field, parameters: IDataObject): NormalizedText[] {
  switch (field.kind) {
    case 'value':
      return [writtenValue(field, parameters)];
    case 'joined':
      return normalizeText(field.parts, parameters);
    case 'conditional':
      return writtenFor(field.field, parameters);
    case 'section':
      return normalizeText(field.inside, objectIn(parameters[parameterName(field)]));
    case 'group':
      return writtenGroup(field, wrappedIn(field, parameters));
  }
}

function writtenValue(field: ValueField, parameters: IDataObject): NormalizedText {
  const { label, secret, property } = field;
  return { label, text: rawValue(parameters, parameterName(field)), secret, alone: property.type !== 'json' };
}

function writtenGroup(field: GroupField, parameters: IDataObject): NormalizedText[] {
  const { label, list, inside, mode } = field;
  const isJson = mode !== undefined && parameters[mode.name] === 'json';
  const text = rawValue(parameters, isJson ? jsonName(field) : parameterName(field));
  const whole: NormalizedText = { label, text, secret: false, alone: false };
  if (isJson) return [{ ...whole, label: `${label} (JSON)` }, whole];
  if (typeof text === 'string') return [whole];
  const objects = objectsFromFields(text).map((object, index) => {
    const own = list ? `${label} ${index + 1}` : label;
    return normalizeText(inside, objectIn(object)).map((one) => ({ ...one, label: `${own} > ${one.label}` }));
  });
  return [whole, ...objects.flat()];
}

/** What may stand behind the label of a parameter in the name of a part of its value: " 2 > Unit Cost". */
const PART = /^(?: \d+)?(?: > .*)?$/s;

/** The parameter that a problem is about: the one of its label, or the nearest around it. */
export function writtenAs(label: string, written: readonly NormalizedText[]): NormalizedText | undefined {
  return written
    .filter((one) => label.startsWith(one.label) && PART.test(label.slice(one.label.length)))
    .reduce<NormalizedText | undefined>(
      (best, one) => (best && best.label.length >= one.label.length ? best : one),
      undefined,
    );
}
