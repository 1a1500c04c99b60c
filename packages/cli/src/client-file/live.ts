/** The part of a client that follows live queries, where the API has them (packages/docs/live-protocol.md). */
import type { Operation, Response, Schema } from '@fastback/explorer'

/** The schema of the rows that a live query has; undefined for any other operation. */
export function liveRows (answer: Response | undefined): Schema | undefined {
  const events = answer?.content?.['text/event-stream'] as { readonly 'x-itemSchema'?: Schema } | undefined
  const kinds = (events?.['x-itemSchema']?.anyOf ?? []) as ReadonlyArray<{ readonly properties?: Readonly<Record<string, Schema>> }>
  return kinds.find(({ properties = {} }) => 'rows' in properties)?.properties?.rows?.items as Schema | undefined
}

/** What an editor shows of the function. */
export const liveSummary = ({ deprecated }: Operation): string =>
  'The rows that fit, as a new list whenever they are others: for await (const rows of …). Lost connections are opened ' +
  `again; it ends with the loop, or with the signal${deprecated === true ? ' @deprecated' : ''}`

export const liveTypes = `/** Options of a live query. */
export type LiveOptions = Pick<CallOptions, 'headers' | 'signal' | 'onResponse'>`

export const liveFunctions = `type LiveChange =
  | { readonly type: 'insert' | 'update', readonly index: number, readonly row: unknown }
  | { readonly type: 'move', readonly from: number, readonly to: number, readonly row?: unknown }
  | { readonly type: 'remove', readonly index: number }

interface LiveData {
  readonly rows?: unknown[]
  readonly changes?: readonly LiveChange[]
  readonly error?: { readonly statusCode?: number }
}

async function * followLive (client: ClientOptions, [, path, places]: Entry, [parameters = {}, options = {}]: readonly [Record<string, unknown>?, LiveOptions?]): AsyncGenerator<unknown[], void> {
  const { headers: own, signal, onResponse } = options
  let rows: unknown[] = []
  let last: string | undefined
  const isOver = (): boolean => signal?.aborted === true
  for (let failures = 0; !isOver(); failures++) {
    try {
      const headers = await headersOf(client, 'text/event-stream', { ...own, ...last === undefined ? {} : { 'last-event-id': last } })
      const response = await (client.fetch ?? globalThis.fetch)(addressOf(client, path, places, parameters, headers), { headers, ...signal === undefined ? {} : { signal } })
      onResponse?.(response)
      if (!response.ok) throw new ApiError(response.status, parsed(await response.text()))
      for await (const { event, id, data } of eventsOf(response)) {
        const given = JSON.parse(data) as LiveData | null
        if (event === 'error' && given?.error !== undefined) throw new ApiError(given.error.statusCode ?? 500, given.error)
        if (event !== 'rows' && event !== 'changes') continue
        rows = given?.rows ?? afterChanges(rows, given?.changes ?? [])
        last = id
        failures = 0
        yield rows
      }
    } catch (error) {
      if (isOver()) return
      // No line, a server that starts, too many at once.
      if (error instanceof ApiError && ![408, 429].includes(error.statusCode) && (error.statusCode < 500 || error.statusCode === 501)) throw error
    }
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, Math.min(250 * 2 ** failures, 30_000))
      signal?.addEventListener('abort', () => { clearTimeout(timer); resolve() }, { once: true })
    })
  }
}

/** The events of a response; what was not taken is given up. */
async function * eventsOf ({ body }: Response): AsyncGenerator<{ event: string | undefined, id: string | undefined, data: string }, void> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (text + decoder.decode(part.value, { stream: true })).split('\\n\\n')
      text = events.pop() as string
      for (const each of events) {
        const of = (name: string): string | undefined => each.split('\\n').find(line => line.startsWith(name + ': '))?.slice(name.length + 2)
        yield { event: of('event'), id: of('id'), data: of('data') ?? 'null' }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** One step after the other; rows that stay are the same objects. */
function afterChanges (rows: readonly unknown[], changes: readonly LiveChange[]): unknown[] {
  const after = [...rows]
  for (const change of changes) {
    if (change.type === 'move') {
      const [moved] = after.splice(change.from, 1)
      after.splice(change.to, 0, change.row ?? moved)
    } else if (change.type === 'remove') after.splice(change.index, 1)
    else after.splice(change.index, change.type === 'insert' ? 0 : 1, change.row)
  }
  return after
}`
