import formbody from '@fastify/formbody';
import Ajv, { type AnySchema, type ValidateFunction } from 'ajv';
import fastify, { type FastifyInstance } from 'fastify';

import { refuseOtherHosts } from '../control/guard';
import { controlRoutes } from '../control/routes';
import type { SandboxControl } from '../control/control';
import { InterfaceDocument } from '../contract/document';
import { withoutLongIds } from '../core/long-ids';
import { hostedRoutes, overviewRoute } from '../hosted/routes';
import { allOperations } from '../operations';
import { interfaceRoutes } from './interface-routes';
import { ENVIRONMENT_NAMES, type Environment, type EnvironmentName } from '../state/environment';

/** Prevents connections from other machines. */
const LOOPBACK = '127.0.0.1';
/** Validation options that refuse unknown properties. By default, Fastify removes unknown properties. */
const CONTROL_CHECKS = { coerceTypes: 'array', useDefaults: true, allowUnionTypes: true } as const;
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Starts the sandbox's HTTP server on loopback.
 * @param port 0 selects a free port.
 * @throws Error with the code EADDRINUSE if the port is in use.
 */
export async function listen(
  environments: Readonly<Record<EnvironmentName, Environment>>,
  control: SandboxControl,
  port: number,
): Promise<{ server: FastifyInstance; port: number }> {
  const server = fastify({
    forceCloseConnections: true,
    bodyLimit: BODY_LIMIT_BYTES,
    logger: false,
    // A client that names the sandbox as its proxy sends the whole URL.
    rewriteUrl: ({ url = '' }) => withoutLongIds(url.replace(/^http:\/\/[^/]+/, '')),
  });
  server.addHook('onRequest', refuseOtherHosts);
  server.setValidatorCompiler<AnySchema>(({ schema }) => compileLater(schema));
  const operations = allOperations(new InterfaceDocument());
  await server.register(controlRoutes(control), { prefix: '/_sandbox' });
  const { test, production } = environments;
  const read = () => ({
    state: control.state(),
    attempts: control.deliveries(),
    environments: [test, production],
    now: control.now(),
    faults: control.parts.faults.waiting(),
    declinesNext: test.declinesNext,
  });
  overviewRoute(server, read);
  for (const name of ENVIRONMENT_NAMES) {
    await server.register(interfaceRoutes(operations, environments[name], control), { prefix: `/${name}` });
    await server.register(
      async (pages) => {
        await pages.register(formbody);
        hostedRoutes(pages, environments[name]);
      },
      { prefix: `/${name}/hosted` },
    );
  }
  const url = await server.listen({ host: LOOPBACK, port });
  return { server, port: Number(new URL(url).port) };
}

/** Compiles a schema on first use, because compiling all schemas takes longer than starting the server. */
function compileLater(schema: AnySchema) {
  let compiled: ValidateFunction | undefined;
  const validate = (value: unknown) => {
    compiled ??= new Ajv(CONTROL_CHECKS).compile(schema);
    const isValid = compiled(value);
    validate.errors = compiled.errors;
    return isValid;
  };
  validate.errors = undefined as ValidateFunction['errors'];
  return validate;
}
