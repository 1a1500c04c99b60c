/** Answers that are streams of objects. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Format } from '../handlers/format.js'
import { commonHeaders } from '../handlers/send.js'
import type { RemoteContext } from '../hooks/context.js'
import type { ChangeGuard } from './change-stream.js'
import { events, lines } from './stream-encoding.js'
import type { OpenStreams } from './open-streams.js'

/** Sends the stream that a method gave, as its result or as the one named value of it. */
export function sendStream (
  context: RemoteContext,
  format: Format,
  reply: FastifyReply,
  open: OpenStreams
): FastifyReply {
  const encoding = format === 'event-stream' ? events : lines
  const guard = (context.request as { changeGuard?: ChangeGuard | null }).changeGuard ?? undefined
  const out = open.add(streamIn(context.result), encoding, guard)
  commonHeaders(reply).header('content-type', encoding.type).header('x-accel-buffering', 'no')
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  return reply.send(out)
}

function streamIn (result: unknown): Readable {
  if (result instanceof Readable) return result
  const [first] = Object.values((result ?? {}) as object) as unknown[]
  if (first instanceof Readable) return first
  throw new TypeError('The method is declared to give a stream, and gave none.')
}
