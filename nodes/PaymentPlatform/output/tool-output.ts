import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { describe, isEmpty } from '../fields/value';
import { alphabetically, isList, only } from '../shared/objects';
import { RECORD_FIELDS } from '../wire/records';
import { codedFields, wordsFieldOf, WHAT_HAPPENED } from '../messages/what-happened';
import type { Operation } from '../model/types';

/** The model receives the main fields, all fields, or selected fields. */
const SIMPLIFIED = 'simplified';
const RAW = 'raw';
const SELECTED = 'selectedFields';

export interface ShownFields {
  simplify: boolean;
  fields?: readonly string[];
}

/** Other nodes have the parameter Simplify instead. */
export const outputParameters: readonly INodeProperties[] = [
  {
    displayName: 'Output',
    name: 'output',
    type: 'options',
    displayOptions: { show: { '@tool': [true] } },
    options: [
      { name: 'Raw', value: RAW, description: 'All fields of the record' },
      { name: 'Selected Fields', value: SELECTED, description: 'Only the fields that you choose' },
      { name: 'Simplified', value: SIMPLIFIED, description: 'Main fields of the record' },
    ],
    default: SIMPLIFIED,
    description:
      'Fields of each record to return to the model. For writes, the result always contains the summary and the IDs that the model provided.',
  },
  {
    displayName: 'Field Names or IDs',
    name: 'outputFields',
    type: 'multiOptions',
    displayOptions: { show: { '@tool': [true], output: [SELECTED] } },
    // Loaded on demand, so that the node's description doesn't contain the names for each operation.
    typeOptions: { loadOptionsMethod: 'getOutputFields' },
    default: [],
    description:
      'Fields of the record that the model receives. Defaults to the main fields. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
];

/** Includes fields that the node adds. */
export function outputFieldsOf({
  request: { operationId = '' },
  addedBySimplify = [],
  adds = {},
}: Operation): string[] {
  const words = codedFields(operationId).map(wordsFieldOf);
  const all = [...(RECORD_FIELDS[operationId] ?? []), ...words, ...addedBySimplify, ...Object.keys(adds)];
  return [...new Set(all)].sort(alphabetically);
}

/** Defaults to the main fields. */
export function readOutput({ output, outputFields }: IDataObject, problems: Problem[]): ShownFields {
  const chosen = isEmpty(output) ? SIMPLIFIED : output;
  if (chosen === RAW) return { simplify: false };
  if (chosen !== SIMPLIFIED && chosen !== SELECTED)
    problems.push({
      label: 'Output',
      found: describe(output),
      allowed: `must be ${SIMPLIFIED}, ${RAW} or ${SELECTED}`,
    });
  const fields = isList(outputFields) ? outputFields.map(String) : [];
  return { simplify: true, ...(chosen === SELECTED && fields.length > 0 && { fields }) };
}

/**
 * The summary and the item's IDs come first.
 * @param always names of the fields with the item's IDs.
 */
export const selected = (record: IDataObject, fields: readonly string[], always: readonly string[]): IDataObject =>
  only(record, [...new Set([WHAT_HAPPENED, ...always, ...fields])]);
