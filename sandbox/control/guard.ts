import type { FastifyReply, FastifyRequest } from 'fastify';

const NAMES = ['127.0.0.1', 'localhost'];

const ownAddresses = ({ socket }: FastifyRequest) => NAMES.map((name) => `${name}:${socket.localPort}`);

/**
 * Refuses a request under another name than this computer's. A page whose name was pointed at this computer after it was
 * loaded names itself as Host.
 */
export async function refuseOtherHosts(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { host } = request.headers;
  if (host !== undefined && ownAddresses(request).includes(host.toLowerCase())) return;
  await reply.code(403).send({ message: 'The sandbox accepts only requests from this computer to its own address' });
}

/** Refuses what a page of another site sends: such a page names its own site as Origin. Programs send no Origin. */
export async function refuseOtherOrigins(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin } = request.headers;
  if (origin === undefined || ownAddresses(request).some((address) => origin === `http://${address}`)) return;
  await reply
    .code(403)
    .send({ message: 'The test controls accept only requests from this computer to their own address' });
}
