/**
 * RxDB's replication over the sync protocol: handlers for `replicateRxCollection`. Nothing of RxDB is loaded: the types
 * say what its plugin `replication` asks for (version 15 on).
 */
import { Transport, type PulledChange, type PushResult, type ServerOptions } from '../engine/transport.js'
import { pause } from '../engine/timers.js'
import { ClientError } from '../errors.js'
import type { Row, SentChange } from '../engine/records.js'
import type { Id } from '../store.js'

export interface RxDbOptions extends ServerOptions {
  /** Path of the model below `baseUrl`: `/Notes`. */
  readonly path: string
  /** The id property, which is the primary key of the collection. Default: `id`. */
  readonly id?: string
  /**
   * The property that keeps the revision with the document, a text in the schema of the collection. Default: `rev`.
   */
  readonly rev?: string
  /** Which rows come down. Default: all that the user may read. */
  readonly where?: object
  /** The version of the rows that the application is made for. Default: none. */
  readonly version?: number
  /** Milliseconds that a response may take. Default: 30,000. */
  readonly timeout?: number
}

export interface RxCheckpoint { readonly cursor: string }

/** A document with what RxDB has in it besides the row. */
export type RxDocument = Row & { _deleted: boolean }

interface Pulled { readonly id: Id, readonly rev?: string | null | undefined, readonly data?: Row | undefined }

export interface RxWrite { readonly newDocumentState: RxDocument, readonly assumedMasterState?: RxDocument | undefined }

/** An observable, as far as RxDB subscribes to one. */
export interface RxStream {
  subscribe (observer: { next: (value: 'RESYNC') => void } | ((value: 'RESYNC') => void)): { unsubscribe (): void }
}

export interface RxPage {
  readonly documents: RxDocument[]
  readonly checkpoint: RxCheckpoint
}

export interface RxReplication {
  readonly pull: {
    handler (checkpoint: RxCheckpoint | undefined, batchSize: number): Promise<RxPage>
    /** As an `Observable` of rxjs: `new Observable(stream$.subscribe)`. */
    readonly stream$: RxStream
    readonly batchSize: number
  }
  readonly push: {
    handler (rows: readonly RxWrite[]): Promise<RxDocument[]>
    readonly batchSize: number
  }
}

/**
 * ```js
 * const { pull, push } = rxDbReplication({ baseUrl: '/api', path: '/Notes', token })
 * replicateRxCollection({
 *   collection, replicationIdentifier: 'notes', push,
 *   pull: { ...pull, stream$: new Observable(pull.stream$.subscribe) }
 * })
 * ```
 */
export function rxDbReplication (options: RxDbOptions): RxReplication {
  const { path, id: idName = 'id', rev: revName = 'rev', where, version } = options
  const transport = new Transport(options, options.timeout ?? 30_000)
  const filter = where === undefined ? undefined : { where }
  const { signal } = new AbortController()
  const documentOf = ({ id, rev, data }: Pulled): RxDocument =>
    ({ ...data, [idName]: id, [revName]: rev ?? '', _deleted: data === undefined })
  const pulled = async (after: string | undefined, limit: number) =>
    await transport.pull(path, { after, limit: Math.min(limit, 1_000), filter, version }, signal)
  return {
    pull: {
      batchSize: 500,
      async handler (checkpoint, limit) {
        const changes: PulledChange[] = []
        let cursor = checkpoint?.cursor
        // A page may be empty and not the last; RxDB takes an empty one for the end.
        for (let more = true; more && changes.length < limit;) {
          const page = await pulled(cursor, limit - changes.length)
          changes.push(...page.changes)
          ;({ cursor, more } = page)
        }
        return { documents: changes.map(documentOf), checkpoint: { cursor: cursor ?? '' } }
      },
      stream$: {
        subscribe (observer) {
          const next = typeof observer === 'function' ? observer : (value: 'RESYNC') => { observer.next(value) }
          const end = new AbortController()
          const follow = async (): Promise<void> => {
            while (!end.signal.aborted) {
              // What was missed in between is found by asking again.
              await transport.live(path, { filter, version }, end.signal, () => { next('RESYNC') }).catch(() => {})
              await pause(1_000, end.signal)
              if (!end.signal.aborted) next('RESYNC')
            }
          }
          follow().catch(() => {})
          return { unsubscribe: () => { end.abort() } }
        }
      }
    },
    push: {
      batchSize: 100,
      async handler (rows) {
        const changes = rows.map(({ newDocumentState: document, assumedMasterState: master }): SentChange => {
          const { _deleted: isDeleted, [revName]: _, ...data } = document
          const rev = master?.[revName]
          const base = typeof rev === 'string' && rev !== '' ? rev : null
          const id = document[idName] as Id
          return { id, base, ...(isDeleted ? { deleted: true as const } : { data }) }
        })
        const results = await transport.push(path, crypto.randomUUID(), changes, version, signal)
        return results.flatMap((result, index) => asItIsNow(result, changes[index] as SentChange, documentOf))
      }
    }
  }
}

/**
 * RxDB takes what comes back for the row as the server has it: after a write that went in that is the same row with its
 * new revision, which the next write is made upon.
 */
function asItIsNow (
  { id, ok, rev, data, conflict, error }: PushResult, sent: SentChange, documentOf: (row: Pulled) => RxDocument
): RxDocument[] {
  if (conflict !== undefined) return [documentOf({ id, ...conflict })]
  if (ok === true) return rev === null ? [] : [documentOf({ id, rev, data: data ?? sent.data })]
  throw new ClientError('REQUEST_FAILED', error?.message ?? 'The server refused a row.', {
    statusCode: error?.statusCode ?? 500, details: { id, error }
  })
}
