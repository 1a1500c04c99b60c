/** Where a server listens. */
import type { Server as HttpServer } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface ListenAddress {
  readonly host: string | undefined
  /** A number, or the path of a socket. */
  readonly port: number | string
}

export async function listen (fastify: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  return await fastify.listen(listenOptions({ host, port }))
}

export const listenOptions = ({ host, port }: ListenAddress): { path: string } | { port: number, host?: string } =>
  typeof port === 'string' ? { path: port } : { port, ...(host === undefined ? {} : { host }) }

/** As a browser on this machine can use it. */
export function addressOf (server: HttpServer): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') return String(bound)
  const { address, port } = bound
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? 'localhost' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
