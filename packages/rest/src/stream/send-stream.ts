/** Responses that are streams of objects. */
import { Readable, Stream } from 'node:stream'
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
  const [first] = isStream(result) ? [result] : Object.values((result ?? {}) as object) as unknown[]
  if (first instanceof Readable) return first
  if (isStream(first)) return readableOf(first)
  throw new TypeError('The method is declared to give a stream, and gave none.')
}

const isStream = (value: unknown): value is Stream =>
  value instanceof Stream || typeof (value as Partial<Stream> | null | undefined)?.pipe === 'function'

/** Streams of before Node 0.10 give their objects unasked, and null may be one of them. */
function readableOf (old: Stream): Readable {
  const { pause, resume, destroy } = old as Partial<Readable>
  const made = new Readable({
    objectMode: true,
    read () { resume?.call(old) },
    destroy (error, done) {
      destroy?.call(old)
      done(error)
    }
  })
  old.on('data', object => { if (!made.push(object ?? nothing)) pause?.call(old) })
  old.on('end', () => made.push(null))
  old.on('error', error => made.destroy(error as Error))
  return made
}

/** What null is in a stream whose end is null. */
const nothing = { toJSON: () => null }
