import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

/** Field of the input items that contains the secrets. */
export const SECRETS = 'secrets';

/** Secrets that must appear only in the input items. */
export const canaries = {
  card: '4242424242424242',
  otherCard: '5105105105105100',
  cvv: '8147',
  account: '90817263541',
  routing: '122105155',
  track: '%B4242424242424242^CANARY/ANA^30121010000000000?',
  password: 'canary-Delivery-pass-77',
};

/** Returns whether a secret is so short that a longer number may contain it by chance. */
export const isShort = (value: string): boolean => value.length <= 5;

/** A short secret must not be part of a longer number or word. */
const holds = (text: string, value: string) =>
  !isShort(value) ? text.includes(value) : new RegExp(`(?<![\\w.:-])${value}(?![\\w.:-])`).test(text);

export const found = (text: string, values: Record<string, string>): string[] =>
  Object.entries(values)
    .filter(([, value]) => holds(text, value))
    .map(([name]) => name);

/** Returns a copy of a stored execution without the input items and their copies. */
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

export function dumpDatabase(node: string, userFolder: string): Record<string, IDataObject[]> {
  const file = join(userFolder, '.n8n', 'database.sqlite');
  if (!existsSync(file)) throw new Error('n8n has no database file');
  const text = execFileSync(node, ['-e', DUMP, file], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  return JSON.parse(text) as Record<string, IDataObject[]>;
}

export const logText = (file: string) => readFileSync(file, 'utf8');
