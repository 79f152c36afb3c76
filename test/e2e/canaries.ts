import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

/** The key under which the input items of a test hold what must be nowhere else. */
export const SECRETS = 'secrets';

/** What a person puts into input items: nothing of it may come out anywhere else. */
export const canaries = {
  card: '4242424242424242',
  otherCard: '5105105105105100',
  cvv: '8147',
  account: '90817263541',
  routing: '122105155',
  track: '%B4242424242424242^CANARY/ANA^30121010000000000?',
  password: 'canary-Delivery-pass-77',
};

/** Whether a value is so short that it may stand in a longer number by chance. */
export const isShort = (value: string): boolean => value.length <= 5;

/** Whether the text holds the value, short numbers only as numbers of their own. */
const holds = (text: string, value: string) =>
  !isShort(value) ? text.includes(value) : new RegExp(`(?<![\\w.:-])${value}(?![\\w.:-])`).test(text);

/** The names of the given values that a text holds. */
export const found = (text: string, values: Record<string, string>): string[] =>
  Object.entries(values)
    .filter(([, value]) => holds(text, value))
    .map(([name]) => name);

/**
 * Everything in a stored execution but the places where the person put the secrets: the input items' own key, which
 * n8n also copies to the error output, and the parameter of the node that hands the rows out.
 */
export function withoutInput(value: unknown): unknown {
  const seen = new Set<unknown>();
  const copy = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (seen.has(inner)) return null;
    seen.add(inner);
    if (Array.isArray(inner)) return inner.map(copy);
    return Object.fromEntries(
      Object.entries(inner as IDataObject).flatMap(([name, part]) =>
        name === SECRETS || name === 'jsonOutput' ? [] : [[name, copy(part)]],
      ),
    );
  };
  return copy(value);
}

const DUMP = `
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1], { readOnly: true });
const tables = db.prepare("select name from sqlite_master where type = 'table'").all().map(({ name }) => name);
process.stdout.write(JSON.stringify(Object.fromEntries(tables.map((name) => [name, db.prepare('select * from "' + name + '"').all()]))));
`;

/** All rows of all tables of n8n's database, read with the Node.js that n8n runs on. */
export function dumpDatabase(node: string, userFolder: string): Record<string, IDataObject[]> {
  const file = join(userFolder, '.n8n', 'database.sqlite');
  if (!existsSync(file)) throw new Error('n8n has no database file');
  const text = execFileSync(node, ['-e', DUMP, file], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  return JSON.parse(text) as Record<string, IDataObject[]>;
}

export const logText = (file: string) => readFileSync(file, 'utf8');
