/** Rows of a page as JSON text, with their revisions: nothing is made of them in between where nobody wants to see. */
import type { CompiledModel, ConditionValue, Id, MaybePromise, OperationOptions } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { asInternal, findKeyedTexts, findAttachedTexts, WORK } from '@fastback/core/remote'
import { canonicalJson } from './canonical-json.js'
import { compileCanonicalTest } from './canonical-text.js'
import type { ChangeLog } from './change-log.js'
import { revisionOfText } from './revision.js'

/** Rows in the order of their ids, as changes that are pulled. */
export interface RowTexts {
  /** A JSON array, in pieces. */
  readonly changes: readonly string[]
  readonly count: number
  /** The id of the last one. */
  readonly last: unknown
}

/**
 * Characters of a piece, which the last row of it may exceed. From 128 kB on V8 keeps a string on pages of its own,
 * which the system clears first.
 */
const piece = 60_000

/** What of a model the text of its rows hangs on. */
interface Shape {
  /** Properties that a row which lacks them has a default for. */
  readonly present: readonly string[]
  /** Whether the text of a row is the one that its revision is the hash of. */
  readonly isCanonical: (row: string) => boolean
}

const kShapes = Symbol('fastback.sync.shapes')

/** Undefined for models whose rows are shown otherwise than their text says. */
function shapeOf ({ Model: { compiled, settings, registry } }: ChangeLog): Shape | undefined {
  const shapes = registry.slot(kShapes, () => new WeakMap<CompiledModel, { shape: Shape | undefined }>())
  const known = shapes.get(compiled)
  if (known !== undefined) return known.shape
  const shape = makeShape(compiled, settings.persistUndefinedAsNull === true)
  shapes.set(compiled, { shape })
  return shape
}

function makeShape (model: CompiledModel, fillsNulls: boolean): Shape | undefined {
  const { id, properties, hidden } = model
  if (id === undefined || hidden.has(id.name) || fillsNulls) return undefined
  const defaulted = properties.filter(({ name, makeDefault, definition }) =>
    !hidden.has(name) && makeDefault !== undefined && definition.defaultFn === undefined)
  return { present: defaulted.map(({ name }) => name), isCanonical: compileCanonicalTest(model) }
}

/**
 * A change as the store writes it, but for its revision, which comes at the end. No id has `,"data":` in it: within
 * JSON strings there is a backslash before each quotation mark.
 */
const around = ['"},{"id":', ',"at":', ',"data":', ',"rev":"'] as const
const [start, beforeAt, beforeRow, beforeRev] = around

/** Rows of a page, as the store writes them. */
interface FoundTexts {
  readonly texts: readonly string[]
  readonly last: ConditionValue | undefined
}

/**
 * The rows of a filter, as changes; undefined where they have to be looked at. All of them are rows that the caller may
 * read.
 * @param isAsked whether the filter has a condition of the client
 */
export function findRowTexts (
  log: ChangeLog, filter: object, isAsked: boolean, options: OperationOptions
): MaybePromise<RowTexts | undefined> {
  const shape = shapeOf(log)
  if (shape === undefined || !log.isNoted) return undefined
  const changes = (found: FoundTexts | undefined): RowTexts | undefined => found && asChanges(log, shape, found)
  // What a client's condition costs is counted (security.md, S-74).
  if (isAsked) return chain(keyedTexts(log, shape, filter, options), changes)
  return chain(besideTexts(log, shape, filter, { ...options, [WORK]: undefined }), found =>
    found === undefined ? chain(keyedTexts(log, shape, filter, options), changes) : changes(found))
}

function asChanges ({ Model }: ChangeLog, { isCanonical }: Shape, { texts, last }: FoundTexts): RowTexts {
  const pieces: string[] = []
  let changes = '['
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] as string
    const row = text.slice(text.indexOf(beforeRow) + beforeRow.length, -beforeRev.length)
    // Each begins with the end of the one before it.
    changes += i === 0 ? text.slice('"},'.length) : text
    changes += revisionOfText(Model, isCanonical(row) ? row : canonicalJson(JSON.parse(row)))
    if (changes.length < piece) continue
    pieces.push(changes)
    changes = ''
  }
  pieces.push(`${changes}${texts.length === 0 ? ']' : '"}]'}`)
  return { changes: pieces, count: texts.length, last }
}

/** From a store that writes all of them in one text, with when they were written. */
function besideTexts (
  { Model, Change }: ChangeLog, { present }: Shape, filter: object, options: OperationOptions
): MaybePromise<FoundTexts | undefined> {
  const beside = { model: Change.compiled, by: 'modelId', property: '_at', around, present }
  return chain(findAttachedTexts(Model.compiled, filter, beside, asInternal(options)), found =>
    found === undefined || !isPlainId(found.last) ? undefined : found)
}

/** Of ids that cursors can hold. */
const isPlainId = (id: unknown): boolean => id === undefined || typeof id === 'string' || typeof id === 'number'

/** From a store that writes the text of each row alone. */
function keyedTexts (
  log: ChangeLog, { present }: Shape, filter: object, options: OperationOptions
): MaybePromise<FoundTexts | undefined> {
  const { Model } = log
  const idName = Model.getIdName() ?? 'id'
  return chain(findKeyedTexts(Model.compiled, filter, [idName, ...present], asInternal(options)), found => {
    // A row that lacks a value is shown with the default.
    if (found === undefined || found.keys.some(key => key.includes(null))) return undefined
    const ids = found.keys.map(([id]) => id as Id)
    if (!ids.every(isPlainId)) return undefined
    return chain(log.timesOf(ids), times => ({
      texts: ids.map((id, i) => start + JSON.stringify(id) +
        beforeAt + JSON.stringify(times.get(String(id)) ?? null) + beforeRow + String(found.texts[i]) + beforeRev),
      last: ids.at(-1)
    }))
  })
}

/**
 * Several lists as one.
 *
 * ```js
 * joinedTexts([{ changes: ['[1', ',2]'], count: 2 }, { changes: ['[3]'], count: 1 }]).join('') // '[1,2,3]'
 * ```
 */
export function joinedTexts (lists: ReadonlyArray<Pick<RowTexts, 'changes' | 'count'>>): readonly string[] {
  const [only, ...others] = lists.filter(({ count }) => count > 0)
  if (only === undefined) return ['[]']
  if (others.length === 0) return only.changes
  const inner = ({ changes }: Pick<RowTexts, 'changes'>): string => changes.join('').slice(1, -1)
  return ['[', ...[only, ...others].flatMap((list, i) => i === 0 ? [inner(list)] : [',', inner(list)]), ']']
}
