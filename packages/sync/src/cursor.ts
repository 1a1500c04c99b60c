/**
 * Where a client has come to (SYD-20): signed, so that nobody makes one up, and bound to what it was given for. It
 * gives no rights: each pull judges its caller anew.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sha256 } from '@fastback/core/connector'
import type { ModelClass, OperationOptions } from '@fastback/core'
import { userKeyOf, type TokenOfUser } from '@fastback/core/remote'
import { canonicalJson } from './canonical-json.js'
import type { ChangeLog } from './change-log.js'
import { sightOf } from './row-access.js'
import { badCursor, cursorExpired } from './errors.js'
import { SyncRecords } from './records.js'
import { syncSettings } from './sync-settings.js'

/** How far a client has come: through the rows that are there, and then through their changes. */
export interface Position {
  readonly phase: 'rows' | 'changes'
  /** `rows`: the changes of this checkpoint and later ones come after them. `changes`: those before it are done. */
  readonly checkpoint: number
  /** The last one that was given: of a row, or of a change of this checkpoint. Undefined: none yet. */
  readonly after?: unknown
}

const short = (text: string): string => sha256(text).slice(0, 16)

/** Signs and reads the cursors of one caller for one filter. */
export class Cursors {
  readonly #key: string
  readonly #filter: string
  readonly #caller: string
  readonly #modelName: string
  /** What the caller's rights come to; empty where nothing narrows them. */
  readonly #sight: string

  private constructor (
    key: string, { modelName, registry }: ModelClass, where: object | undefined, options: OperationOptions,
    sight: string
  ) {
    this.#key = key
    this.#sight = sight === '' ? '' : short(sight)
    this.#modelName = modelName
    this.#filter = short(canonicalJson(JSON.parse(JSON.stringify(where ?? {}))))
    const user = userKeyOf(registry, options.accessToken as TokenOfUser | null | undefined)
    this.#caller = user === undefined ? '' : short(user)
  }

  static async of (log: ChangeLog, where: object | undefined, options: OperationOptions): Promise<Cursors> {
    const { Model } = log
    const { secret } = syncSettings(Model)
    const key = secret ?? await SyncRecords.of(log.dataSource).key()
    return new Cursors(key, Model, where, options, await sightOf(Model, options))
  }

  write ({ phase, checkpoint, after }: Position): string {
    const sight = this.#sight === '' ? [] : [this.#sight]
    const text = JSON.stringify([phase, checkpoint, after ?? null, this.#caller, ...sight])
    return `${Buffer.from(text).toString('base64url')}.${this.#sign(text)}`
  }

  /**
   * @throws RequestError 400 BAD_CURSOR for one that was altered, or given for another filter or model; 410
   * CURSOR_EXPIRED for that of another caller, who sees other rows, and of the same one where roles, memberships or
   * rules let them see other rows by now: which rows have come or gone by that no change says
   */
  read (cursor: unknown): Position {
    if (typeof cursor !== 'string' || cursor.length > 4_000) throw badCursor()
    const [encoded = '', signature = ''] = cursor.split('.')
    const text = Buffer.from(encoded, 'base64url').toString()
    const expected = Buffer.from(this.#sign(text))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw badCursor()
    const [phase, checkpoint, after, caller, sight] = JSON.parse(text) as
      [Position['phase'], number, unknown, string, string?]
    if (caller !== this.#caller || (sight !== undefined && sight !== this.#sight)) throw cursorExpired()
    return { phase, checkpoint, ...(after === null ? {} : { after }) }
  }

  #sign (text: string): string {
    const what = JSON.stringify(['fastback sync cursor', this.#modelName, this.#filter, text])
    return createHmac('sha256', this.#key).update(what).digest('base64url')
  }
}
