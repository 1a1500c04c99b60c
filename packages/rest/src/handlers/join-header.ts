import type { FastifyReply } from 'fastify'

/**
 * Adds names to a header that is a list of them (`Vary`, `Access-Control-Expose-Headers`), and to which others may have
 * added theirs.
 */
export function joinHeader (reply: FastifyReply, header: string, names: readonly string[]): void {
  const given = reply.getHeader(header)
  if (given === undefined) {
    reply.header(header, names.join(', '))
    return
  }
  const all = String(given).split(',').map(name => name.trim())
  if (all.includes('*')) return
  const known = new Set(all.map(name => name.toLowerCase()))
  reply.header(header, [...all, ...names.filter(name => !known.has(name.toLowerCase()))].join(', '))
}
