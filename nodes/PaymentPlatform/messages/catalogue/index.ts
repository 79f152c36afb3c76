import { gatewayRefusals } from './gateway-refusals';
import { issuerApprovals } from './issuer-approvals';
import { issuerDeclines } from './issuer-declines';
import { platform } from './platform';
import type { Advice, CatalogueEntry } from '../../model/failure';

export { LOOK_UP_FIRST, CREDENTIAL_SECRET } from '../../model/failure';
export type { Advice } from '../../model/failure';

const byCode = (...entries: CatalogueEntry[]): ReadonlyMap<string, Advice> =>
  new Map(entries.flatMap(({ codes, ...known }) => codes.map((code) => [code, known] as const)));

const catalogue = {
  gateway: byCode(...issuerApprovals, ...issuerDeclines, ...gatewayRefusals),
  platform: byCode(...platform),
};

/**
 * What a code of the service means and what a person does about it, in plain language (service.md#codes).
 * @param family whose code it is: an `rcode` of the gateway ("051") or a `code` of the platform (2).
 * @returns `undefined` for a code that is not in the catalogue; the service's own words have to do then.
 */
export function adviceFor(family: keyof typeof catalogue, code: string | number): Advice | undefined {
  return catalogue[family].get(String(code));
}
