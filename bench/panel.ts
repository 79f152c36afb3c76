import { N8nRest } from '../host/rest';
import { openPage, startBrowser } from '../test/browser/browser';
import { Editor } from '../test/browser/editor';
import { measurePanels } from '../test/browser/panel-costs';
import { PASSWORD, startHost, type Host } from '../test/e2e/host';
import { node, own } from '../test/e2e/workflows';
import { print } from './table';

/**
 * Compares the time that n8n's editor takes to show this node and the Stripe node. Environment variable: ROUNDS
 * (default 5).
 */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const rounds = { least: ROUNDS, most: ROUNDS, isEnough: () => true };

const savePanels = async (host: Host): Promise<string> =>
  await host.rest.saveWorkflow({
    name: 'Panels',
    nodes: [
      own(host, 'Payment Platform', { resource: 'invoice', operation: 'create' }),
      node('Stripe', 'n8n-nodes-base.stripe', { resource: 'charge', operation: 'create' }, { position: [0, 220] }),
    ],
    connections: {},
    settings: {},
  });

async function main(): Promise<void> {
  const host = await startHost({ env: { N8N_DISABLE_UI: 'false' } });
  const browser = await startBrowser();
  try {
    const editor = new Editor(await openPage(browser, 1500));
    await editor.page.goto(`${host.n8n.baseUrl}/workflow/${await savePanels(host)}`);
    await editor.signIn({ email: N8nRest.ownerEmail, password: PASSWORD });
    await editor.node('Stripe').waitFor();
    for (const [index, { step, ours, stripe }] of (await measurePanels(editor, rounds)).entries()) {
      const row = { step, 'Payment Platform (ms)': Math.round(ours), 'Stripe (ms)': Math.round(stripe) };
      print({ ...row, ratio: (ours / stripe).toFixed(2) }, index === 0);
    }
  } finally {
    await browser.close();
    await host.stop();
  }
}

void main();
