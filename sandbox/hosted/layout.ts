import { MERCHANT_NAME } from '../views/transactions';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const STYLE = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #ffffff; --text: #1c2330; --muted: #566074; --line: #c9cfda;
  --accent: #1d5fd1; --on-accent: #ffffff; --good: #12703b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171d; --card: #1e232c; --text: #e8ebf1; --muted: #a5afc0; --line: #444d5e;
    --accent: #8ab4ff; --on-accent: #10203f; --good: #6fd39a; --bad: #ff9a92; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .25rem; font-size: 1.4rem; }
h2 { margin: 1.5rem 0 .25rem; font-size: 1.05rem; }
p { margin: .25rem 0 .75rem; }
form + .note { margin-top: 1rem; }
.note { color: var(--muted); font-size: .9rem; }
.amount { margin: .5rem 0 1rem; font-size: 2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: normal; }
td.number, th.number { text-align: right; }
tr.total th, tr.total td { font-weight: 600; }
label { display: block; margin-top: .9rem; font-weight: 500; }
label.choice { display: flex; gap: .5rem; align-items: center; font-weight: normal; }
input[type=text], select { width: 100%; margin-top: .25rem; padding: .6rem .7rem; border: 1px solid var(--muted); border-radius: .4rem;
  background: var(--card); color: var(--text); font: inherit; }
input:focus-visible, select:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
button { width: 100%; margin-top: 1.5rem; padding: .8rem; border: 0; border-radius: .4rem; background: var(--accent);
  color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
.message { padding: .7rem .9rem; border: 1px solid currentColor; border-radius: .4rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
a { color: var(--accent); }
header { max-width: 30rem; margin: 0 auto 1rem; font-weight: 600; text-align: center; }
.wide main { max-width: 72rem; }
.wide td, .wide th { padding-right: 1rem; overflow-wrap: break-word; vertical-align: baseline; }
@media (max-width: 48rem) { #records, #credentials { overflow-x: auto; } .wide .pair { grid-template-columns: 1fr; gap: 0; } .wide table { min-width: 60rem; } }
.wide th { color: var(--muted); font-size: .9rem; }
.wide td.number, .value { white-space: nowrap; }
.wide button { width: auto; margin: 0; padding: .3rem .7rem; border: 1px solid var(--accent); background: var(--card);
  color: var(--accent); font-size: .9rem; }
.wide [aria-busy=true] { opacity: .6; }
nav, .buttons { display: flex; flex-wrap: wrap; gap: .4rem .9rem; }
summary { cursor: pointer; color: var(--accent); }
.letter { white-space: pre-line; }
.wide tr.new td { font-weight: 600; }
.wide tr.new td:first-child::after { content: " (new)"; color: var(--good); }
#news { position: sticky; top: 0; min-height: 1.5rem; margin: .5rem 0; background: var(--card); font-weight: 600; }
footer { max-width: 30rem; margin: 1rem auto 0; color: var(--muted); font-size: .85rem; text-align: center; }
`;

interface PageOptions {
  wide?: boolean;
  script?: string;
}

/**
 * Renders a complete page.
 * @param content HTML that the caller has escaped.
 */
export function page(title: string, content: string, { wide, script }: PageOptions = {}): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} - ${MERCHANT_NAME}`)}</title>
<style>${STYLE}</style>
</head>
<body${wide ? ' class="wide"' : ''}>
<header>${escapeHtml(MERCHANT_NAME)}</header>
<main>${content}</main>
<footer>Sandbox: no money moves. Use test cards only.${wide ? '' : ' <a href="/">Back to the sandbox</a>'}</footer>${script === undefined ? '' : `<script>${script}</script>`}
</body>
</html>`;
}

export function messagePage(title: string, text: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`);
}

/** Renders a message box. Screen readers announce errors. */
export function messageBox(text: string, kind: 'good' | 'bad'): string {
  return `<p class="message ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${escapeHtml(text)}</p>`;
}
