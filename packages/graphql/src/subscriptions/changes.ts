/** Changes of a model, as its change stream tells them to the caller. */
import type { PublishedRoute } from '@fastback/rest'
import { errorOf, type InnerStream } from '@fastback/rest/calls'
import { MethodError, type CallContext } from '../execution/call.js'
import { streamFailed } from '../request/errors.js'

/** One change, of what the caller may see. */
export interface ShownChange {
  /** `gap`: changes were missed. */
  readonly type: 'create' | 'update' | 'remove' | 'gap'
  readonly target?: unknown
  /** The row; none of a removal. */
  readonly data?: Record<string, unknown>
}

/**
 * Opens the change stream of a model.
 * @throws MethodError where it is refused
 */
export async function changesOf (
  { calls }: Pick<CallContext, 'calls'>, route: PublishedRoute, where: object | undefined
): Promise<AsyncIterableIterator<ShownChange>> {
  const stream = await calls.open(route, { query: where === undefined ? {} : { options: { where } } })
  if (stream.status >= 400) {
    const text = await textOf(stream)
    throw new MethodError(errorOf(text, stream.status), stream.status)
  }
  return new Changes(stream)
}

async function textOf ({ body }: InnerStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Ends at once, also while it waits for the next change. */
class Changes implements AsyncIterableIterator<ShownChange> {
  readonly #stream: InnerStream
  readonly #changes: AsyncGenerator<ShownChange, undefined>
  #isClosed = false

  constructor (stream: InnerStream) {
    this.#stream = stream
    this.#changes = this.#read()
  }

  [Symbol.asyncIterator] (): this {
    return this
  }

  async next (): Promise<IteratorResult<ShownChange>> {
    return await this.#changes.next()
  }

  async return (): Promise<IteratorResult<ShownChange>> {
    this.#close()
    return { done: true, value: undefined }
  }

  #close (): void {
    this.#isClosed = true
    this.#stream.close()
  }

  async * #read (): AsyncGenerator<ShownChange, undefined> {
    try {
      for await (const line of linesOf(this.#stream)) {
        const [, what, change] = JSON.parse(line) as [string, string, ShownChange]
        if (what === 'data') yield change
        else if (what === 'gap') yield { type: 'gap' }
        else if (what === 'error') throw streamFailed()
      }
    } catch (error) {
      if (!this.#isClosed) throw error
    } finally {
      this.#close()
    }
    return undefined
  }
}

async function * linesOf ({ body }: InnerStream): AsyncGenerator<string> {
  body.setEncoding('utf8')
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() as string
    yield * lines.filter(line => line !== '')
  }
}
