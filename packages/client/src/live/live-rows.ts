/** Follows a live query through lost connections. */
import { ClientError, isCode } from '../errors.js'
import { backOff, type Retry } from '../engine/timers.js'
import type { Transport } from '../engine/transport.js'
import { afterChanges, type LiveChange } from './rows.js'

/** What is asked for, and how it is followed. */
export interface Followed {
  /** The path of the model below the API. */
  readonly path: string
  readonly filter: object | undefined
  readonly retry: Retry
  readonly signal: AbortSignal
}

interface LiveData {
  readonly rows?: object[]
  readonly changes?: readonly LiveChange[]
  readonly error?: { readonly statusCode?: number, readonly code?: string, readonly message?: string }
}

/**
 * The rows of a live query, a new list whenever they are others. Who takes them slowly gets the last ones: the server
 * sends no faster than they are taken. A connection that is lost is opened again, and goes on where it was.
 * @throws ClientError UNAUTHORIZED, REQUEST_FAILED where the server refuses the query
 */
export async function * followRows (
  transport: Transport, { path, filter, retry, signal }: Followed
): AsyncGenerator<object[], void> {
  const query = filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`
  let rows: object[] = []
  let last: string | undefined
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
      for await (const { event, id, data } of transport.events(`${path}/live${query}`, signal, headers)) {
        const given = JSON.parse(data) as LiveData | null
        if (event === 'error' && given?.error !== undefined) throw refusalOf(given.error)
        if (event !== 'rows' && event !== 'changes') continue
        rows = given?.rows ?? afterChanges(rows, given?.changes ?? [])
        last = id
        failures = -1
        yield rows
      }
    } catch (error) {
      if (signal.aborted) return
      if (!mayPass(error)) throw error
    }
    await waitFor(backOff(retry, Math.max(0, failures)), signal)
  }
}

function refusalOf (error: NonNullable<LiveData['error']>): ClientError {
  const { statusCode, message = 'The live query has ended.' } = error
  return new ClientError(statusCode === 401 ? 'UNAUTHORIZED' : 'REQUEST_FAILED', message, {
    details: error, ...statusCode === undefined ? {} : { statusCode }
  })
}

/** Whether another try may go through: no line, a server that starts, too many at once. */
function mayPass (error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  const { statusCode = 0 } = error
  return isCode(error, 'OFFLINE') || statusCode === 408 || statusCode === 429 || (statusCode >= 500 && statusCode !== 501)
}

/** A process that waits for rows goes on: the timer keeps it alive. */
const waitFor = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await new Promise<void>(resolve => {
    const timer = setTimeout(done, milliseconds)
    function done (): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
