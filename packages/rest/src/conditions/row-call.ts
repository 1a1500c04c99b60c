/**
 * Conditions of one request about one row: what `If-Match`, `If-None-Match` and a version among the data say, and the
 * `ETag` of the response. Versions are compared by the store, in the writing statement; a row that the caller may not
 * write or see is not found before any version is looked at.
 */
import { errors, type CompiledModel, type MaybePromise, type OperationOptions, type Row } from '@fastback/core'
import { chain, coerceId, isPromise } from '@fastback/core/connector'
import {
  accessReviewIn, findByIdText, findRowById, ROW_KNOWN, ROW_SEEN, rowVersion, sharedMethodsOf,
  VersionConflictError, withRowLock, type RowSeen
} from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathValue } from '../parse/text.js'
import type { SeenRow } from '../patches/row-patch.js'
import { hasStrongTag, hasTag, mustReadTags, readTags, textTag, versionsIn, versionTag, type TagList } from './entity-tags.js'
import { matchRequired, rowExistsAlready, versionOnCreate } from './errors.js'
import type { RowMethod } from './row-method.js'

/** What tags are made of: the version of a row, or its text. */
export type TagSource = 'version' | 'text'

/** How tags of a model are made; undefined where its responses have none. */
export function tagSourceOf ({ version, settings, Model }: CompiledModel): TagSource | undefined {
  if (version !== undefined) return 'version'
  return (settings.etag ?? Model.registry.settings.etag) === true ? 'text' : undefined
}

/** A request, its arguments, and the options of its operation. */
export interface RowRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly values: unknown[]
  readonly options: OperationOptions
  /** The row that the data were worked out from. */
  readonly seen?: SeenRow | undefined
}

export class RowCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly values: unknown[]
  readonly options: OperationOptions
  readonly #seen: SeenRow | undefined
  readonly #target: CompiledModel
  /** `If-None-Match`, of a request that has tags. */
  readonly #noneMatch: string | undefined
  readonly #match: TagList | undefined
  #version: number | undefined
  #isNotModified = false
  /** Whether the response is one of several forms of the row. */
  readonly #hasForms: boolean

  /**
   * Reads the conditions of a request, and hands them down with the options of its operation.
   * @throws RequestError 400 INVALID_ENTITY_TAG, 428 PRECONDITION_REQUIRED
   */
  constructor (
    readonly method: RowMethod, readonly source: TagSource | undefined,
    { request, reply, values, options, seen }: RowRequest
  ) {
    this.request = request
    this.reply = reply
    this.values = values
    this.options = options
    this.#seen = seen
    this.#target = method.Target.compiled
    const { 'if-match': match, 'if-none-match': known } = request.headers
    const { compares } = method
    this.#match = match === undefined || !compares || source === undefined ? undefined : mustReadTags('If-Match', match)
    this.#noneMatch = source === undefined ? undefined : known
    if (this.#noneMatch !== undefined && !this.isRead) mustReadTags('If-None-Match', this.#noneMatch)
    const filter = values[method.filter]
    const { scope } = this.#target.definition
    // What a relation or a condition leads to may be another row the next time, with the same version.
    this.#hasForms = method.id === undefined || (filter !== undefined && filter !== null) ||
      (scope !== undefined && (scope as { include?: unknown } | null)?.include !== undefined)
    if (source === 'version') {
      // By way of a variable: V8 puts a function literal that is assigned to a member among its old objects, and with
      // it all of the request that it leads to (packages/docs/decisions.md).
      const seen: RowSeen = (model, row) => this.sees(model, row)
      options[ROW_SEEN] = seen
      if (this.isRead && known !== undefined && !this.#hasForms) options[ROW_KNOWN] = true
    }
    const isSaid = this.#takeVersion() || this.#match !== undefined || this.#createsOnly
    if (compares && !isSaid && this.#target.settings.requireMatch === true && this.#writesOne()) throw matchRequired()
  }

  /** Whether the request writes nothing: its conditions are about the response alone. */
  get isRead (): boolean {
    return this.method.kind === 'read' || this.method.kind === 'head'
  }

  /** The row of a request for headers alone. @returns its text; undefined where there is none */
  head (): MaybePromise<string | undefined> {
    return findByIdText(this.#target, this.#id(), undefined, this.options)
  }

  /** `If-None-Match: *` of an upsert: there must be no such row. */
  get #createsOnly (): boolean {
    return this.method.kind === 'upsert' && this.#isNoneMatched
  }

  /** `If-None-Match: *` */
  get #isNoneMatched (): boolean {
    return this.#noneMatch?.trim() === '*'
  }

  /** Whether `If-None-Match` of a read has a tag; most say one, as it was sent. */
  #knows (tag: string): boolean {
    const header = this.#noneMatch
    return header !== undefined && this.isRead && (header === tag || hasTag(readTags(header), tag))
  }

  /** An upsert without an id makes a row. */
  #writesOne (): boolean {
    return this.method.kind !== 'upsert' || this.#id() !== undefined
  }

  /** The row's id as the request says it; undefined where a relation leads to the row. */
  #id (): unknown {
    const { id, data } = this.method
    const { id: idName } = this.#target
    if (id === undefined) return undefined
    if (id === 'data') {
      const row = this.values[data] as Row | null | undefined
      const given = idName === undefined ? undefined : row?.[idName.name]
      return given ?? undefined
    }
    const text = (this.request.params as Record<string, string>)[id]
    return text === undefined ? undefined : coerceId(this.#target, pathValue(text))
  }

  /** Takes the version out of the data of a client: it is the one that was seen. Whether there was one. */
  #takeVersion (): boolean {
    const { method: { kind, data }, values } = this
    const name = this.#target.version?.name
    if (name === undefined || data === -1) return false
    const take = (row: unknown, prefix: string): unknown => {
      if (row === null || typeof row !== 'object' || !Object.hasOwn(row, name)) return row
      const { [name]: seen, ...rest } = row as Row
      if (seen === undefined || seen === null) return rest
      if (kind === 'create') versionOnCreate(this.#target, name, prefix)
      else if (this.#match === undefined && !this.#createsOnly) this.options.ifVersion = Number(seen)
      return rest
    }
    const given = values[data]
    values[data] = Array.isArray(given)
      ? given.map((row, i) => take(row, `[${String(i)}]`))
      : take(given, '')
    return this.options.ifVersion !== undefined
  }

  /** Is told the row of the response. @returns whether the client has its text already */
  sees (model: Pick<CompiledModel, 'version'>, row: Readonly<Row>): boolean {
    // A row that was read without its version has one all the same.
    const isPartial = this.#hasForms && model.version !== undefined && row[model.version.name] === undefined
    this.#version = isPartial ? undefined : rowVersion(model, row)
    this.#isNotModified = this.#version !== undefined && !this.#hasForms && this.#knows(versionTag(this.#version))
    return this.#isNotModified
  }

  /**
   * Does the work of the request under its conditions.
   * @throws VersionConflictError 412, with the row as the caller may read it
   */
  around<T> (work: () => MaybePromise<T>): MaybePromise<T> {
    try {
      const result = this.#guarded(work)
      return isPromise(result) ? result.catch((error: unknown) => this.#refused(error)) : result
    } catch (error) {
      return this.#refused(error)
    }
  }

  #guarded<T> (work: () => MaybePromise<T>): MaybePromise<T> {
    if (!this.isRead && this.#isNoneMatched) return this.#unlessThere(work)
    const match = this.#match
    const id = this.#id()
    if (this.#seen !== undefined) return this.#asSeen(this.#seen, id, work)
    if (match === undefined) return work()
    // What is made anew nobody has seen.
    if (this.method.kind === 'upsert' && id === undefined) throw errors.noInstance(undefined)
    if (this.source === 'version' && match !== '*') {
      const versions = [...new Set(versionsIn(match))]
      if (versions.length === 1 || id === undefined) {
        // A list without versions matches no row.
        this.options.ifVersion = versions[0] ?? Number.MAX_SAFE_INTEGER
        return work()
      }
      return this.#ofSeen(id, row => versions.includes(rowVersion(this.#target, row) as number), work)
    }
    if (id === undefined) return work()
    if (match === '*') return this.#ofSeen(id, () => true, work, false)
    return this.#locked(id, text => hasStrongTag(match, textTag(text)), work)
  }

  /** Writes what was worked out from a row while the row is so. */
  #asSeen<T> ({ version, text }: SeenRow, id: unknown, work: () => MaybePromise<T>): MaybePromise<T> {
    const match = this.#match
    const conflict = (): Error => new VersionConflictError(this.#target.name, id, JSON.parse(text) as Row)
    if (version !== undefined) {
      const { ifVersion = version } = this.options
      const isMatch = match === undefined || match === '*' || versionsIn(match).includes(version)
      if (!isMatch || ifVersion !== version) throw conflict()
      this.options.ifVersion = version
      return work()
    }
    if (match !== undefined && match !== '*' && !hasStrongTag(match, textTag(text))) throw conflict()
    return this.#locked(id, now => now === text, work)
  }

  /** Compares the text of the row, and writes it, while nobody else can. @throws RequestError 404 */
  #locked<T> (id: unknown, passes: (text: string) => boolean, work: () => MaybePromise<T>): MaybePromise<T> {
    const key = coerceId(this.#target, id)
    if (key === undefined) throw errors.noInstance(id)
    return withRowLock(this.#target, key, this.options, row =>
      chain(findByIdText(this.#target, key, undefined, this.options), text => {
        if (text === undefined) throw errors.noInstance(id)
        if (!passes(text)) throw new VersionConflictError(this.#target.name, id, row)
        return work()
      }))
  }

  /** Looks at the row as the caller sees it, and then writes it as it was seen. */
  #ofSeen<T> (
    id: unknown, passes: (row: Row) => boolean, work: () => MaybePromise<T>, compares = true
  ): MaybePromise<T> {
    return chain(findRowById(this.#target, id, undefined, this.#reading()), row => {
      if (row === undefined) throw errors.noInstance(id)
      if (!passes(row)) throw new VersionConflictError(this.#target.name, id, row)
      if (compares) this.options.ifVersion = rowVersion(this.#target, row)
      return work()
    })
  }

  /** A row that is not there is made by an upsert, whose store refuses an id that is taken meanwhile. */
  #unlessThere<T> (work: () => MaybePromise<T>): MaybePromise<T> {
    const id = this.#id()
    if (id === undefined) return work()
    return chain(findRowById(this.#target, id, undefined, this.#reading()), row => {
      if (row !== undefined) throw rowExistsAlready(this.#target.name, id)
      if (this.#createsOnly) this.options.ifVersion = null
      return work()
    })
  }

  /** The options of what is looked at beside the operation. */
  #reading (): OperationOptions {
    return { ...this.options, [ROW_SEEN]: undefined, ifVersion: undefined, notify: false }
  }

  #refused (error: unknown): MaybePromise<never> {
    if (!(error instanceof VersionConflictError) || error.modelName !== this.#target.name) throw error
    const text = chain(this.#mayRead(), may => may
      ? findByIdText(this.#target, error.id, undefined, this.#reading())
      : undefined)
    return chain(text, current => {
      if (current !== undefined) {
        error.shown = JSON.parse(current) as Row
        const version = rowVersion(this.#target, error.shown) ?? rowVersion(this.#target, error.current)
        this.reply.header('etag', this.source === 'text' || version === undefined ? textTag(current) : versionTag(version))
      }
      throw error
    })
  }

  /** Whoever writes a row is shown it in the response; who deletes one may not even read it. */
  #mayRead (): MaybePromise<boolean> {
    if (this.method.kind !== 'delete') return true
    const { Target } = this.method
    const { mayCall } = accessReviewIn(Target.registry)
    if (mayCall === undefined) return true
    const find = sharedMethodsOf(Target).find(({ builtin }) => builtin === 'findById')
    return find === undefined ? false : mayCall(find, this.request, this.reply)
  }

  /**
   * Sets the headers of a response.
   * @param text the JSON of the response; undefined where there is none, or it is in another format
   * @returns whether the client has it already: 304
   */
  finish (text: string | undefined): boolean {
    const { method: { kind }, reply } = this
    if (kind === 'delete') {
      if (this.#match !== undefined && text === '{"count":0}') throw errors.noInstance(this.#id())
      return false
    }
    const tag = this.#tagOf(text)
    if (tag === undefined) return false
    reply.header('etag', tag)
    return this.#isNotModified || this.#knows(tag)
  }

  #tagOf (text: string | undefined): string | undefined {
    const version = this.#version
    if (version !== undefined) {
      if (!this.#hasForms || !this.isRead) return text === undefined ? undefined : versionTag(version)
      return text === undefined ? undefined : versionTag(version, text)
    }
    // What a write gives may be other than what a read gives of the same row.
    const isText = text !== undefined && text.startsWith('{') && text !== '{}'
    return isText && this.isRead && this.source !== undefined ? textTag(text) : undefined
  }
}
