import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Whether a request may run now. Requests that a client sends without waiting for responses run one after the other,
 * each when the response before it is on its way, and others have their turn in between. Node starts all that one
 * packet brings at once: some hundred big lists would be made before anybody else was heard, and kept for a client that
 * need not even read them (security.md, S-59). What follows a request that ends its connection is not run at all.
 *
 * A response gets its socket when the one before it has left; injected requests have sockets that are none.
 */
export const isNextOfConnection = (request: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.socket !== null || request.raw.socket.destroyed

/** Calls `run` when a request may run that had to wait. */
export function whenNextOfConnection ({ raw }: FastifyReply, run: () => void): void {
  raw.once('socket', () => { setImmediate(run) })
}
