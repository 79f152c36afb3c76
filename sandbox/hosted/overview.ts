import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';

import type { Environment } from '../state/environment';
import { escapeHtml, page } from './layout';
import { SCRIPT } from './script';
import { tablesOf, type Records, type Table } from './tables';

const MOST_ROWS = 10;
/** Columns with amounts and counts. */
const NUMBERS: ReadonlySet<string> = new Set([
  'Amount',
  'Paid',
  'Left to pay',
  'Cards',
  'Responses',
  'Updated',
  'Attempt',
]);

/** Content security policy that allows only the page's own script. */
export const OVERVIEW_POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; connect-src 'self'; frame-ancestors 'none'`;

interface Fault {
  kind: string;
  status?: number;
  method?: string;
  operationId?: string;
  path?: string;
}

/** Contents of the overview page. */
export interface Overview extends Records {
  environments: ReadonlyArray<Pick<Environment, 'name' | 'baseUrl' | 'credentials'>>;
  /** Faults that later requests can match. */
  faults: readonly Fault[];
  declinesNext: boolean;
}

const STEPS = [
  ['one day', { days: 1 }],
  ['five days', { days: 5 }],
  ['one month', { months: 1 }],
] as const;

/** POST requests in words. */
const NEXT_WRITE = 'the next request that creates, sends or pays';

/** Failures that the page offers. Each fault applies to the next POST request, because the editor often reads lists. */
const FAILURES = [
  ['Cut before the request takes effect', { kind: 'reset_before_apply' }],
  ['Cut after the request takes effect', { kind: 'reset_after_apply' }],
  ['HTTP 500', { kind: 'status', status: 500 }],
  ['HTTP 429', { kind: 'rate_limited' }],
] as const;

const FAULT_WORDS: Readonly<Record<string, string>> = {
  reset_before_apply: 'cuts the connection before the request takes effect',
  reset_after_apply: 'cuts the connection after the request takes effect',
  timeout: 'sends no response',
  drip: 'sends the response byte by byte',
  truncated_json: 'sends half of the response',
  rate_limited: 'responds with HTTP 429',
};

/** Renders an overview of the sandbox's credentials, controls and records, without card numbers or tokens. */
export function overviewPage(overview: Overview): string {
  const tables = tablesOf(overview);
  const links = [['credentials', 'Credentials'], ...tables.map(({ id, title }) => [id, title])];
  const navigation = links.map(([id, title]) => `<a href="#${id}">${title}</a>`).join(' ');
  const content = `<h1>Payment service sandbox</h1>
<p class="note">The tables update automatically. Each shows the latest ${MOST_ROWS} rows of the test environment. Times are in UTC.</p>
<nav aria-label="Sections">${navigation}</nav>
<p id="news" role="status"></p>
<div class="pair">${clock(overview)}${failures(overview)}</div>
${credentials(overview)}
<div id="records" data-live>${tables.map(tableHtml).join('')}</div>`;
  return page('Sandbox', content, { wide: true, script: SCRIPT });
}

interface Button {
  label: string;
  name?: string;
  done: string;
  copy?: string;
  send?: string;
  body?: object;
}

function button({ label, name, body, ...data }: Button): string {
  const attributes = Object.entries({ ...data, body: body && JSON.stringify(body), key: name ?? label });
  const written = attributes.flatMap(([key, value]) => (value ? [` data-${key}="${escapeHtml(value)}"`] : []));
  return `<button type="button"${name === undefined ? '' : ` aria-label="${escapeHtml(name)}"`}${written.join('')}>${escapeHtml(label)}</button>`;
}

/** @param state live part of the section, which the script updates. */
function section(id: string, title: string, note: string, buttons: string[], state: string): string {
  return `<section><h2>${title}</h2><p class="note">${note}</p><p class="buttons">${buttons.join(' ')}</p><div id="${id}" data-live>${state}</div></section>`;
}

function clock({ now }: Overview): string {
  const note = 'Subscriptions, the account updater, settlements and expirations follow this clock.';
  const done = 'The clock moved. The sandbox completed everything that became due.';
  const buttons = STEPS.map(([step, body]) =>
    button({ label: `Move on ${step}`, send: 'POST /_sandbox/clock/advance', body, done }),
  );
  const time = DateTime.fromISO(now, { zone: 'utc' }).toFormat('d LLLL yyyy, HH:mm');
  return section('clock', 'Clock', note, buttons, `<p><strong>${time} UTC</strong></p>`);
}

function failures({ faults, declinesNext }: Overview): string {
  const done = 'The failure is waiting for its request.';
  const buttons = [
    button({ label: 'Decline', send: 'POST /_sandbox/decline', done }),
    ...FAILURES.map(([label, fault]) =>
      button({ label, send: 'POST /_sandbox/faults', body: { ...fault, method: 'POST', calls: [1] }, done }),
    ),
  ];
  const waiting = [...(declinesNext ? ['The sandbox declines the next charge.'] : []), ...faults.map(faultText)];
  const lines = waiting.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  const remove = button({
    label: 'Remove these failures',
    send: 'DELETE /_sandbox/faults',
    done: 'No failure is waiting.',
  });
  const note = `A decline affects the next charge. The other failures affect ${NEXT_WRITE}.`;
  const state = waiting.length === 0 ? '' : `<ul>${lines}</ul>${remove}`;
  return section('failures', 'Make the next response fail', note, buttons, state);
}

function faultText({ kind, status = kind === 'status' ? 500 : 502, method, operationId, path }: Fault): string {
  const requests = [method, operationId, path].filter((one) => one !== undefined).join(' ');
  const words = requests === 'POST' ? NEXT_WRITE : `requests: ${requests || 'all'}`;
  return `The sandbox ${FAULT_WORDS[kind] ?? `responds with HTTP ${status}`} (${words}).`;
}

function credentials({ environments }: Overview): string {
  const columns = ['Environment', 'Base URL', 'Merchant ID', 'API Key'];
  const rows = environments.map(({ name, baseUrl, credentials: { merchantId, apiKey } }) => [
    name,
    ...[baseUrl, merchantId, apiKey].map((value, index) => {
      const what = `${columns[index + 1]} (${name})`;
      const copy = button({ label: 'Copy', name: `Copy ${what}`, copy: value, done: `Copied: ${what}` });
      return `<span class="value">${escapeHtml(value)} ${copy}</span>`;
    }),
  ]);
  const note = `<p class="note">Enter these values in a <strong>Payment Platform API</strong> credential. The sandbox's keys work only on this computer.</p>`;
  return `<section id="credentials"><h2>Credentials for n8n</h2>${note}${grid(columns, rows)}</section>`;
}

function tableHtml({ id, title, columns, rows }: Table): string {
  const heading = `<h2 id="${id}">${escapeHtml(title)} (${rows.length})</h2>`;
  if (rows.length === 0) return `${heading}<p class="note">None yet.</p>`;
  return `${heading}${grid(columns, rows.slice(-MOST_ROWS).reverse())}`;
}

function grid(columns: readonly string[], rows: readonly string[][]): string {
  const kind = (index: number): string => (NUMBERS.has(columns[index] ?? '') ? ' class="number"' : '');
  const head = columns.map((column, index) => `<th scope="col"${kind(index)}>${escapeHtml(column)}</th>`).join('');
  const line = (cells: string[]) => cells.map((cell, index) => `<td${kind(index)}>${cell}</td>`).join('');
  const body = rows.map((cells) => `<tr>${line(cells)}</tr>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}
