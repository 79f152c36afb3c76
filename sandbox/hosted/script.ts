/**
 * Browser script of the overview. It updates the parts of the page that are marked as live every second and highlights
 * new rows. The update waits while the user presses a link or a button. A button copies a value or calls a test control.
 */
export const SCRIPT = `
const rows = (root) => [...root.querySelectorAll('tbody tr')];
const live = (root) => [...root.querySelectorAll('[data-live]')];
const say = (text) => { document.querySelector('#news').textContent = text; };
const nameOf = (control) => control.dataset.key ?? control.getAttribute('href') ?? control.parentElement.id;
const known = new Set(rows(document).map((row) => row.textContent));
const shown = new Map(live(document).map((part) => [part.id, part.innerHTML]));

function replace(next) {
  const part = document.getElementById(next.id);
  if (shown.get(next.id) === next.innerHTML) return [];
  shown.set(next.id, next.innerHTML);
  const added = rows(next).filter((row) => !known.has(row.textContent));
  for (const row of added) row.classList.add('new');
  for (const { id } of part.querySelectorAll('details[open]')) next.querySelector('#' + id)?.setAttribute('open', '');
  const focus = part.contains(document.activeElement) ? nameOf(document.activeElement) : undefined;
  part.replaceWith(next);
  if (focus) [...next.querySelectorAll('a, button, summary')].find((one) => nameOf(one) === focus)?.focus();
  return added;
}

async function refresh() {
  const response = await fetch(location.pathname).catch(() => undefined);
  if (!response?.ok) return void say('The sandbox has stopped.');
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (document.querySelector('a:active, button:active, summary:active')) return;
  const added = live(page).flatMap(replace);
  if (added.length > 0) say(document.querySelectorAll('tr.new').length + ' new or changed since you opened this page.');
}

async function press({ dataset: { copy, send, body, done } }) {
  if (copy) await navigator.clipboard.writeText(copy);
  if (send) {
    const [method, path] = send.split(' ');
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(path, { method, headers, body: method === 'DELETE' ? undefined : body ?? '{}' });
    if (!response.ok) return say('The sandbox refused: ' + (await response.text()));
    await refresh();
  }
  say(done);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (!button || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  press(button).catch(({ message }) => say(message)).finally(() => { button.ariaBusy = null; });
});
setInterval(() => void (document.hidden || refresh()), 1000);
`;
