import { AMOUNTS } from '../wire/marks';

const KNOWN: ReadonlySet<string> = new Set(AMOUNTS);
/**
 * Amounts that the interface does not tell of, or not yet: among fields that nobody declared a limit has to see them too,
 * and all of the service's amounts are named so but one. Those that end so are switches (openapi.yaml#AddSubscriptionRequest).
 */
const NAMED_LIKE_ONE = /^amt_(?!.*_ignore$).+/;

/**
 * Whether a field that no operation declares holds an amount, such as one of Extra Body Fields and all of an API request.
 * Declared fields have marks: they are not asked about here.
 */
export function namesAmount(name: string): boolean {
  const written = name.toLowerCase();
  return KNOWN.has(written) || NAMED_LIKE_ONE.test(written);
}
