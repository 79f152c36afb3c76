import type { FastifyReply, FastifyRequest } from 'fastify';

const NAMES = ['127.0.0.1', 'localhost'];

/**
 * Refuses what a page of another site sends through a person's browser. Such a page names its own site as Origin, and
 * one whose name was pointed at this computer after it was loaded names itself as Host. Programs send no Origin.
 */
export async function refuseStrangers(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const own = NAMES.map((name) => `${name}:${request.socket.localPort}`);
  const { host, origin } = request.headers;
  const fromOwn = origin === undefined || own.some((address) => origin === `http://${address}`);
  if (host !== undefined && own.includes(host.toLowerCase()) && fromOwn) return;
  await reply.code(403).send({ message: 'The test controls answer to this computer alone, at their own address' });
}
