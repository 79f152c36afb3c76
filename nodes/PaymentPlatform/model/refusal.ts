/** What a code means to a person who bills customers, and what that person does about it. */
export interface Advice {
  /** What happened, as one sentence. */
  what: string;
  /** What to do, in at most 200 characters. It holds for every operation, so it never says to run the item again. */
  advice: string;
  /** Whether the service's own words say which value it is: they belong to the reason then. */
  named?: true;
}

/** Codes that come to the same for the reader. */
export interface CatalogueEntry extends Advice {
  codes: readonly string[];
}

/** A refusal of one operation that the service's own words tell, where its code alone does not. */
export interface Refusal extends Advice {
  /**
   * Looked for in the service's words: better what they name, such as a status, than how they say it. Names in braces in
   * its advice are replaced by the values of the request's path.
   */
  pattern: RegExp;
}

/**
 * What the credential holds, where nobody knows which of the two was chosen: whoever knows puts the
 * name in its place (`namingSecret` of failures.ts).
 */
export const CREDENTIAL_SECRET = 'API Key or API Token';

/**
 * For answers that leave open whether the request was applied. The same answer may come to a request that only reads, so
 * it starts with a condition.
 */
export const LOOK_UP_FIRST =
  'If the request creates, changes or pays anything, do not send it again: look the record up first, since it may have been applied.';
