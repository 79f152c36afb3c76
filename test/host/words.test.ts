import { MAJORS } from '../../host/install';
import { WORDS } from '../words';
import { readRecorded } from './known-nodes';
import { nodePanel, OWN, OWN_TOOL, type Searchable } from './node-panel';

function place({ find }: Searchable, word: string, key: string): number {
  const index = find(word).indexOf(key);
  return index < 0 ? Infinity : index + 1;
}

describe.each(MAJORS)('In the node panel of n8n %i', (major) => {
  const panel = nodePanel(readRecorded(major), major);

  test.each(WORDS)('n8n\'s search for "$word" finds the node', ({ word, panel: worst }) => {
    expect(place(panel.nodes, word, OWN)).toBeLessThanOrEqual(worst);
  });

  test.each(WORDS.filter(({ first }) => first))(
    'n8n\'s search for "$word" finds $first in the list of actions',
    ({ word, first }) => {
      expect(panel.actions.find(word)[0]).toBe(first);
    },
  );

  test.each(WORDS)(
    'n8n\'s search for "$word" finds the tool if n8n searches the aliases of tools',
    ({ word, tools }) => {
      const worst = major === 2 ? tools : Infinity;
      expect(place(panel.tools, word, OWN_TOOL)).toBeLessThanOrEqual(worst);
    },
  );

  test("n8n's search for the package name finds the node and the tool", () => {
    expect(place(panel.nodes, 'payment platform', OWN)).toBe(1);
    expect(place(panel.tools, 'payment platform', OWN_TOOL)).toBe(1);
  });

  test("n8n's search for an event finds the trigger", () => {
    expect(panel.events.find('invoice paid')[0]).toBe('invoice_paid');
    expect(panel.events.find('dispute')[0]).toBe('dispute_update');
  });
});
