import { resourcesAt } from '../../nodes/PaymentPlatform/model/operation';
import { declared } from '../../nodes/PaymentPlatform/resources';
import { NODE_VERSIONS } from '../../nodes/PaymentPlatform/shared/versions';
import { outputSchema } from './output-schema';
import type { Files } from './written';

const FOLDER = 'nodes/PaymentPlatform/__schema__';

/** Returns a node version in n8n's three-part form, for example v1.0.0. */
const versionFolder = (version: number) => `v${String(version).split('.').concat('0', '0').slice(0, 3).join('.')}`;

/** Generates one output schema per node version and operation, by the path in dist/ from which n8n's editor loads it. */
export function schemaFiles(): Files {
  const entries = NODE_VERSIONS.flatMap((version) =>
    resourcesAt(declared, version).flatMap((resource) =>
      resource.operations.flatMap((operation): Array<[string, string]> => {
        const schema = outputSchema(operation);
        const path = `${FOLDER}/${versionFolder(version)}/${resource.value}/${operation.value}.json`;
        return schema ? [[path, JSON.stringify(schema)]] : [];
      }),
    ),
  );
  return Object.fromEntries(entries);
}
