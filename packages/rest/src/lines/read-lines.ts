/** Takes a body apart into its lines while it comes, within limits: never more than a piece of it is held. */
import type { Readable } from 'node:stream'
import { RequestError } from '@fastback/core'
import { badRequest, malformedJson, tooLarge } from '../errors/request-errors.js'
import { parseJson } from '../parse/json.js'
import type { LineLimits } from './settings.js'

/** Rows that are stored together, and bytes of their lines. */
const chunkRows = 1000
const chunkBytes = 1_048_576

/** 408 LINES_TIMEOUT: the body takes longer than it may. */
const timeout = (seconds: number): RequestError => new RequestError(
  408, `The lines came for longer than ${seconds} seconds. Nothing more of them is read: send fewer.`,
  { name: 'RequestTimeoutError', code: 'LINES_TIMEOUT' })

/** 413 LINES_LIMIT: more rows than one body may have. */
const tooManyLines = (limit: number): RequestError => new RequestError(
  413, `One body has at most ${limit} rows: send several.`, { name: 'PayloadTooLargeError', code: 'LINES_LIMIT' })

/**
 * The rows of a body in pieces. Blank lines are none.
 *
 * ```js
 * for await (const rows of rowsOf(request.raw, limits)) console.log(rows.length) // 1000, 1000, 17
 * ```
 * @throws RequestError 400 MALFORMED_JSON, 408 LINES_TIMEOUT, 413
 */
export async function * rowsOf (payload: Readable, limits: LineLimits): AsyncGenerator<unknown[]> {
  let rows: unknown[] = []
  let size = 0
  let count = 0
  for await (const line of linesOf(payload, limits)) {
    if (line.trim() === '') continue
    if (++count > limits.rows) throw tooManyLines(limits.rows)
    try {
      rows.push(parseJson(line, limits.depth))
    } catch (error) {
      throw malformedJson(`row ${count - 1}: ${(error as Error).message}`)
    }
    size += line.length
    if (rows.length < chunkRows && size < chunkBytes) continue
    yield rows
    rows = []
    size = 0
  }
  if (rows.length > 0) yield rows
}

async function * linesOf (payload: Readable, limits: LineLimits): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let bytes = 0
  for await (const piece of piecesOf(payload, limits.seconds)) {
    bytes += piece.length
    if (bytes > limits.bytes) throw tooLarge()
    const whole = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    let from = 0
    for (let end = whole.indexOf(10); end !== -1; end = whole.indexOf(10, from)) {
      if (end - from > limits.line) throw tooLarge()
      yield whole.toString('utf8', from, end)
      from = end + 1
    }
    rest = whole.subarray(from)
    if (rest.length > limits.line) throw tooLarge()
  }
  if (rest.length > 0) yield rest.toString('utf8')
}

/** The stream is left open where the reader ends early: the client is to see why. */
async function * piecesOf (payload: Readable, seconds: number): AsyncGenerator<Buffer> {
  const pieces = payload.iterator({ destroyOnReturn: false })
  let stop: (error: Error) => void = () => {}
  const timer = setTimeout(() => { stop(timeout(seconds)) }, seconds * 1000)
  const end = Date.now() + seconds * 1000
  try {
    for (;;) {
      if (Date.now() > end) throw timeout(seconds)
      // No race with a promise of the time: that one would hold every piece until it is settled itself.
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        stop = reject
        pieces.next().catch(cutOff).then(resolve, reject)
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
  }
}

const cutOff = (): never => { throw badRequest('the request was cut off') }
