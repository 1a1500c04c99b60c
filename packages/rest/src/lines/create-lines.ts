/**
 * `POST /Notes` with `application/x-ndjson`: rows are validated and stored in pieces while they come, in one
 * transaction where the store has them. Neither the body nor the rows are ever held as a whole.
 */
import type { Readable } from 'node:stream'
import { ValidationError, type MaybePromise, type ModelClass, type Row, type SharedMethod } from '@fastback/core'
import { hasBulk } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { unsupportedEncoding } from '../errors/request-errors.js'
import { bodyKind } from '../parse/body-kind.js'
import { afterTheRest } from '../parse/read-body.js'
import { rowsOf } from './read-lines.js'
import type { LineLimits } from './settings.js'

/** Milliseconds that a transaction is open for beside the time of the body: the last rows are stored, too. */
const storingTime = 30_000

export const linesType = 'application/x-ndjson'

/** Whether a method takes lines: where the model's setting `bulk` is on. */
export const takesLines = ({ builtin, model }: SharedMethod): boolean => builtin === 'create' && hasBulk(model)

/** Whether the body of a request is lines. */
export const isLines = (request: FastifyRequest): boolean => bodyKind(request) === 'lines'

/**
 * Creates the rows of a body, and gives how many there were. Positions in violations count from 0 over the whole body.
 *
 * ```js
 * const text = await createLines(Note, request, limits, rows => createInstances(Note.compiled, rows, options))
 * ```
 * @param store validates and stores some of the rows
 * @throws ValidationError 422; RequestError 400, 408, 413, 415
 */
export async function createLines (
  { dataSource }: ModelClass, request: FastifyRequest, limits: LineLimits,
  store: (rows: Row[]) => MaybePromise<unknown>
): Promise<string> {
  const payload = request.body as Readable
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const work = async (): Promise<string> => {
    let count = 0
    for await (const rows of rowsOf(payload, limits)) {
      const before = count
      try {
        await store(rows as Row[])
      } catch (error) {
        throw shifted(error, before)
      }
      count += rows.length
    }
    return `{"count":${count}}`
  }
  try {
    if (encoding !== 'identity') throw unsupportedEncoding(`lines come without a content encoding, and not as "${encoding}"`)
    const support = dataSource?.connector.transactions
    return dataSource === null || support === undefined || dataSource.ambient.handle !== undefined
      ? await work()
      : await dataSource.ambient.run(support, work, { timeout: limits.seconds * 1000 + storingTime })
  } catch (error) {
    await new Promise<void>(resolve => { afterTheRest(payload, resolve) })
    throw error
  }
}

/** Violations of a piece, with the positions of the whole. */
function shifted (error: unknown, by: number): unknown {
  if (!(error instanceof ValidationError) || by === 0) return error
  const move = (path: string): string => path.replace(/^\[(\d+)\]/, (_, i: string) => `[${Number(i) + by}]`)
  return new ValidationError(error.details.context, error.found.map(each => ({ ...each, path: move(each.path) })))
}
