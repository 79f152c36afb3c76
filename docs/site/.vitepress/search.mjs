/**
 * Options of the site's search. VitePress copies the functions into the site as text, so they use nothing outside
 * themselves.
 */
export const fields = ['title', 'titles', 'text'];

/** Returns the stem of a word, or null for a word that doesn't narrow a search. Applies to pages and searches. */
export function processTerm(term) {
  const stopWords =
    /^(?:a|an|and|any|are|as|at|be|by|can|did|do|does|for|from|get|had|happen|happened|happens|has|have|how|i|if|in|into|is|it|its|make|me|my|n8n|node|of|on|one|or|our|should|so|that|the|their|them|then|there|these|they|this|to|us|was|we|were|what|when|where|which|who|why|will|with|work|works|you|your)$/;
  const word = term.toLowerCase();
  return stopWords.test(word) ? null : word.replace(/^(.{4,}?)(?:es|ed|e|s|ing)$/, '$1');
}

export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 8, titles: 4, text: 1 },
  /** Prefers tutorials and guides for users to the reference, and the reference to pages for developers. */
  boostDocument: (id) => {
    if (
      /^\/(?:interface|CONTRIBUTING|CHANGELOG)|\/(?:add-an?-|publish|architecture|guidelines|simulator|versions|service|n8n\.)/.test(
        id,
      )
    )
      return 0.2;
    if (/\/docs\/(?:tutorial|how-to)\//.test(id)) return 2;
    return /\/(?:messages|codes|records)\./.test(id) ? 0.4 : 1;
  },
};

/** Searches in users' words, each with the page that must be the first result. */
export const searches = [
  ['how do I refund', '/docs/tutorial/refund-a-sale.html'],
  ['what happens when n8n crashes', '/docs/how-to/resolve-unknown-outcomes.html#after-n8n-crashed'],
  ['charge a card', '/docs/reference/operations.html#transaction-charge'],
  ['send a report', '/docs/how-to/export-lists.html'],
  ['how can I cancel a subscription', '/docs/how-to/common-jobs.html#cancel-subscriptions'],
  ['duplicate payments', '/docs/how-to/prevent-duplicate-payments.html'],
  ['AI agent', '/docs/how-to/use-with-ai-agents.html'],
  ['test', '/docs/how-to/test-with-the-sandbox.html'],
];
