/** Answers that are streams of objects: server-sent events, or JSON line by line. */
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { ChangeGap } from '@fastback/core'
import type { FastifyReply } from 'fastify'
import type { Format } from '../handlers/format.js'
import { commonHeaders } from '../handlers/send.js'
import type { RemoteContext } from '../hooks/context.js'
import { changeMessage, type ChangeGuard } from './change-stream.js'
import type { OpenStreams } from './open-streams.js'

/** How objects are written. */
interface Writing {
  readonly type: string
  readonly begin: string
  readonly signOfLife: string
  data (id: number | undefined, body: unknown): string
  /** Changes were missed that are no longer known. */
  readonly gap: string
  readonly end: string
  readonly error: string
}

const events: Writing = {
  type: 'text/event-stream',
  begin: ':ok\n\n',
  signOfLife: ':\n\n',
  data: (id, body) => `${id === undefined ? '' : `id: ${id}\n`}event: data\ndata: ${JSON.stringify(body)}\n\n`,
  gap: 'event: gap\ndata: null\n\n',
  end: 'event: end\ndata: null\n\n',
  error: 'event: error\ndata: {"message":"The stream failed"}\n\n'
}

/** LoopBack's line format: a name for the stream, what happened, the object. */
const lines: Writing = {
  type: 'application/json; boundary=NL',
  begin: '["changes","new",{"writable":false,"readable":true}]\n',
  signOfLife: '',
  data: (_id, body) => `["changes","data",${JSON.stringify(body)}]\n`,
  gap: '["changes","gap"]\n',
  end: '["changes","end"]\n',
  error: '["changes","error",{"message":"The stream failed"}]\n'
}

/** Sends the stream that a method gave, as its result or as the one named value of it. */
export function sendStream (context: RemoteContext, format: Format, reply: FastifyReply, open: OpenStreams): FastifyReply {
  const source = streamIn(context.result)
  const writing = format === 'event-stream' ? events : lines
  const out = new PassThrough()
  open.add(out, writing.signOfLife)
  const guard = (context.request as { changeGuard?: ChangeGuard | null }).changeGuard ?? undefined
  guard?.signal?.addEventListener('abort', () => { out.destroy() }, { once: true })
  out.write(writing.begin)
  pump(source, out, writing, guard).catch(() => { out.destroy() })
  commonHeaders(reply).header('content-type', writing.type).header('x-accel-buffering', 'no')
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  return reply.send(out)
}

function streamIn (result: unknown): Readable {
  if (result instanceof Readable) return result
  const [first] = Object.values((result ?? {}) as object) as unknown[]
  if (first instanceof Readable) return first
  throw new TypeError('The method is declared to give a stream, and gave none.')
}

/** Passes objects on one by one, no faster than the client reads; ends with either side. */
async function pump (source: Readable, out: PassThrough, writing: Writing, guard: ChangeGuard | undefined): Promise<void> {
  const closed = new AbortController()
  out.once('close', () => {
    closed.abort()
    source.destroy()
  })
  try {
    for await (const object of source) {
      if (object instanceof ChangeGap) {
        out.write(writing.gap)
        continue
      }
      if (guard !== undefined && !await guard.allows((object as { data: Record<string, unknown> }).data)) continue
      const { id, body } = changeMessage(object)
      if (!out.write(writing.data(id, body))) await once(out, 'drain', { signal: closed.signal })
    }
    out.end(writing.end)
  } catch {
    if (!out.destroyed) out.end(writing.error)
  }
}
