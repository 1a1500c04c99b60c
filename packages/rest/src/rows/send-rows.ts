/** Responses that are written row by row. */
import { Readable } from 'node:stream'
import type { MaybePromise, ModelClass, SharedMethod } from '@fastback/core'
import { byClock, chain, eachInSequence, parseFields } from '@fastback/core/connector'
import { textOfResult } from '@fastback/core/remote'
import type { FastifyReply } from 'fastify'
import { notAList, rightsEnded, tooSlow } from '../errors/request-errors.js'
import { givenModel } from '../handlers/direct.js'
import { isReached, jsonText } from '../handlers/json.js'
import { commonHeaders } from '../handlers/send.js'
import type { RemoteContext } from '../hooks/context.js'
import { columnsOf, valueColumns, type Column } from './csv.js'
import { PagedResult } from './open-pages.js'
import { rowEncoding, type RowEncoding, type RowFormat } from './row-encoding.js'

/** Characters that go out together. */
const piece = 65_536

/**
 * Sends the list that a method gave: page by page where it is still to be read, no faster than the client takes it.
 * Whatever ends such a response early cuts the connection, so that nobody takes a part for the whole.
 * @throws RequestError 406 for a result that is no list of rows
 */
export async function sendRows (
  method: SharedMethod, format: RowFormat, context: RemoteContext, reply: FastifyReply
): Promise<FastifyReply> {
  const { result } = context
  if (!(result instanceof PagedResult)) {
    const texts = await rowTexts(result, isReached(method))
    const encoding = rowEncoding(format, wholeColumns(method, context))
    return send(reply, encoding, encoding.begin + texts.map(encoding.line).join(''))
  }
  const { pages: { model, query } } = result
  const columns = columnsOf(model, new Set(query.select.names), isReached(method))
  const encoding = rowEncoding(format, columns)
  const rights = context.request.watchRights?.(reply)
  // Fastify would read the whole of it to the end, for a response that has no body.
  const isHead = context.request.method === 'HEAD'
  const out = isHead ? Readable.from([]) : streamOf(result, encoding, isReached(method), rights)
  return send(reply, encoding, out)
}

const send = (reply: FastifyReply, { type }: RowEncoding, body: string | Readable): FastifyReply =>
  commonHeaders(reply).header('content-type', type).send(body)

/**
 * Ends with an error when its time is over, whether it waits for rows or for the client, and when the client may not
 * read the rows any more.
 * @param rights aborted then
 */
function streamOf (
  result: PagedResult, encoding: RowEncoding, reached: boolean, rights: AbortSignal | undefined
): Readable {
  const out = Readable.from(piecesOf(result, encoding, reached), { objectMode: false, highWaterMark: piece })
  const timer = setTimeout(() => { out.destroy(tooSlow(result.seconds)) }, result.deadline - performance.now())
  const end = (): void => { out.destroy(rightsEnded()) }
  if (rights?.aborted === true) end()
  rights?.addEventListener('abort', end, { once: true })
  return out.once('close', () => {
    clearTimeout(timer)
    rights?.removeEventListener('abort', end)
  })
}

async function * piecesOf (
  { pages }: PagedResult, { begin, line }: RowEncoding, reached: boolean
): AsyncGenerator<string, void> {
  const { model } = pages
  const pauses = byClock()
  let text = begin
  for await (const rows of pages.lists()) {
    for (const row of rows) {
      text += line(model.stringify(row, reached))
      if (text.length < piece) continue
      yield text
      text = ''
      if (pauses.isDue) await pauses.rest()
    }
  }
  if (text !== '') yield text
}

/** The JSON of each row of a list that is there. */
async function rowTexts (result: unknown, reached: boolean): Promise<string[]> {
  const text = textOfResult(result)?.join('')
  const rows: unknown = text === undefined ? result : JSON.parse(text)
  if (!Array.isArray(rows)) throw notAList()
  const texts: string[] = []
  const write = (row: unknown): MaybePromise<void> =>
    chain(jsonText(row, reached), json => { texts.push(json ?? 'null') })
  await eachInSequence(rows, write)
  return texts
}

/** The columns of a list whose query nobody knows: those of its model that the filter's `fields` names. */
function wholeColumns (method: SharedMethod, { args }: RemoteContext): Column[] {
  const Model: ModelClass | undefined = givenModel(method)
  if (Model === undefined) return []
  const { compiled } = Model
  const { fields, distinct } = (args.filter ?? {}) as { fields?: unknown, distinct?: unknown }
  if (distinct !== undefined && distinct !== '' && compiled.hasAggregates) return valueColumns(compiled, distinct)
  return columnsOf(compiled, new Set(parseFields(compiled, fields, compiled.parsing.external).names), isReached(method))
}
