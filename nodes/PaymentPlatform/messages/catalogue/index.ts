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
 * Explains a service code to users (service.md#codes).
 * @param family API family whose responses contain the code.
 * @returns `undefined` for an unknown code.
 */
export function adviceFor(family: keyof typeof catalogue, code: string | number): Advice | undefined {
  return catalogue[family].get(String(code));
}
