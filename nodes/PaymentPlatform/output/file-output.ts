import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { describe, isEmpty } from '../fields/value';
import type { FileFormat, FileOutput } from '../model/types';
import { asText, objectIn } from '../shared/objects';

const FILE = 'file';
/** Shows a parameter only if each record becomes an item. Tools have no parameter Return As. */
export const ifItems = { hide: { returnAs: [FILE] } } as const satisfies INodeProperties['displayOptions'];
const ifFile = { show: { '@tool': [false], returnAs: [FILE] } };
const ifCsv = { show: { '/fileFormat': ['csv'] } };

const FORMATS: ReadonlyArray<{ name: string; value: FileFormat; description: string }> = [
  { name: 'CSV', value: 'csv', description: 'Table for spreadsheets and accounting software' },
  { name: 'JSON', value: 'json', description: 'One JSON array with all records' },
  { name: 'NDJSON', value: 'ndjson', description: 'One JSON object per line, for databases and data warehouses' },
];

const COLUMN_NAMES = [
  { name: 'API Names', value: 'api', description: 'Names that stay the same, e.g. amt_tran' },
  { name: 'Readable Names', value: 'readable', description: 'Names for people, e.g. Amount' },
];

/** Maximum number of records of a list. */
export const limitParameter: INodeProperties = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  description: 'Max number of results to return',
};

export const fileParameters: readonly INodeProperties[] = [
  {
    displayName: 'Return As',
    name: 'returnAs',
    type: 'options',
    displayOptions: { show: { '@tool': [false] } },
    options: [
      { name: 'File', value: FILE, description: 'One file with all records' },
      { name: 'Items', value: 'items', description: 'One n8n item per record' },
    ],
    default: 'items',
    description: 'Whether to return the records as n8n items or as a file, e.g. for a spreadsheet',
  },
  {
    displayName: 'File Format',
    name: 'fileFormat',
    type: 'options',
    displayOptions: ifFile,
    options: [...FORMATS],
    default: 'csv',
    description: 'Format of the file',
  },
  {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    displayOptions: ifFile,
    default: 'data',
    required: true,
    placeholder: 'e.g. data',
    hint: 'The name of the output binary field to put the file in',
    description: 'Field of the output item that contains the file',
  },
  {
    displayName: 'File Options',
    name: 'fileOptions',
    type: 'collection',
    placeholder: 'Add File Option',
    displayOptions: ifFile,
    default: {},
    options: [
      {
        displayName: 'Add Byte Order Mark (BOM)',
        name: 'addBOM',
        type: 'boolean',
        displayOptions: ifCsv,
        default: false,
        description: 'Whether to mark the file as UTF-8, so that Excel shows accents and other scripts correctly',
      },
      {
        displayName: 'Column Names',
        name: 'columnNames',
        type: 'options',
        displayOptions: ifCsv,
        options: COLUMN_NAMES,
        default: 'api',
        description: 'Names in the first row of the file',
      },
      {
        displayName: 'Escape Formulas',
        name: 'escapeFormulas',
        type: 'boolean',
        displayOptions: ifCsv,
        default: true,
        description:
          'Whether to put an apostrophe before text that a spreadsheet would run as a formula, such as a customer name that begins with =',
      },
      limitParameter,
    ],
  },
];

export interface FileSettings {
  file?: FileOutput;
  /** Parameters that contain the limit. */
  limits: IDataObject;
}

type ReadSwitch = (label: string, value: unknown, problems: Problem[]) => boolean;

/** Returns no file if each record becomes an item. */
export function readFileOutput(parameters: IDataObject, problems: Problem[], readSwitch: ReadSwitch): FileSettings {
  const { returnAs, fileFormat, binaryPropertyName, fileOptions } = parameters;
  const choose = <Value extends string>(
    label: string,
    given: unknown,
    [first, ...others]: readonly [Value, ...Value[]],
  ) => {
    const values = [first, ...others];
    const found = isEmpty(given) ? first : values.find((value) => value === asText(given).trim());
    if (found === undefined)
      problems.push({ label, found: describe(given), allowed: `must be one of: ${values.join(', ')}` });
    return found ?? first;
  };
  if (choose('Return As', returnAs, ['items', FILE]) !== FILE) return { limits: parameters };
  const options = objectIn(fileOptions);
  const property = asText(binaryPropertyName).trim();
  if (property === '')
    problems.push({ label: 'Put Output File in Field', found: 'nothing', allowed: 'is required, e.g. data' });
  const { addBOM, columnNames, escapeFormulas = true, limit } = options;
  const file: FileOutput = {
    format: choose('File Format', fileFormat, ['csv', 'ndjson', 'json']),
    property,
    addBom: readSwitch('Add Byte Order Mark (BOM)', addBOM, problems),
    hasLabels: choose('Column Names', columnNames, ['api', 'readable']) === 'readable',
    escapesFormulas: isEmpty(escapeFormulas) || readSwitch('Escape Formulas', escapeFormulas, problems),
  };
  return { file, limits: { returnAll: !('limit' in options), limit } };
}
