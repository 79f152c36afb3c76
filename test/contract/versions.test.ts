import { packageNodes } from '../package-nodes';
import { newest, NODE_VERSIONS, TRIGGER_VERSIONS } from '../../nodes/PaymentPlatform/shared/versions';

const VERSIONS: Record<string, readonly number[]> = {
  paymentPlatform: NODE_VERSIONS,
  paymentPlatformTrigger: TRIGGER_VERSIONS,
};

test.each(packageNodes().map(({ description }) => description))(
  '$name declares all its versions to n8n, and new nodes use the newest',
  ({ name, version, defaultVersion }) => {
    expect(version).toEqual(VERSIONS[name]);
    expect(defaultVersion).toBe(newest(VERSIONS[name] ?? []));
  },
);

test('with a single version, no parameter depends on the version', () => {
  const conditional = packageNodes().filter(({ description }) => JSON.stringify(description).includes('@version'));
  expect(NODE_VERSIONS.length > 1 || TRIGGER_VERSIONS.length > 1 || conditional.length === 0).toBe(true);
});
