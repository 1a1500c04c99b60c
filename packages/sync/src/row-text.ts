/** Rows of a page as JSON text, with their revisions: nothing is made of them in between where nobody wants to see. */
import type { CompiledModel, Id, MaybePromise, OperationOptions } from '@fastback/core'
import { chain, parseFilter } from '@fastback/core/connector'
import { asInternal, findKeyedTexts } from '@fastback/core/remote'
import { canonicalJson, unescaped } from './canonical-json.js'
import type { ChangeLog } from './change-log.js'
import { changeId, revisionOfText } from './revision.js'

/** Rows in the order of their ids, each as a change that is pulled. */
export interface RowTexts { readonly ids: readonly Id[], readonly changes: readonly string[] }

/** Characters of a row beyond which its text is looked at in another way. */
const mostMatched = 20_000

/** What of a model the text of its rows hangs on. */
interface Shape {
  /** The properties whose values are asked for: the id, and those that a row which lacks them has a default for. */
  readonly keys: readonly string[]
  /** Fits a text that is the one its revision is the hash of. */
  readonly canonical: RegExp
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
  const { id, properties, hidden, selectByName } = model
  if (id === undefined || hidden.has(id.name) || fillsNulls) return undefined
  const defaulted = properties.filter(({ name, makeDefault, definition }) =>
    !hidden.has(name) && makeDefault !== undefined && definition.defaultFn === undefined)
  return {
    keys: [id.name, ...defaulted.map(({ name }) => name)],
    canonical: canonicalObject(selectByName.names)
  }
}

/** A string without characters that the protocol writes in another way, a number that all write alike. */
const value = `(?:"${unescaped}*(?:\\\\["\\\\bfnrt]${unescaped}*)*"|` +
  'true|false|null|0|-?[1-9]\\d{0,14}|-?(?:0|[1-9]\\d{0,8})\\.\\d{0,5}[1-9])'

/** Members of these names, in this order; some may be missing. */
function canonicalObject (names: readonly string[]): RegExp {
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const members = names.map(name => `(?:${literal(`${canonicalJson(name)}:`)}${value}(?:,(?=")|(?=\\})))?`)
  return new RegExp(`^\\{${members.join('')}\\}$`)
}

/**
 * The rows of a filter, as changes; undefined where they have to be looked at. All of them are rows that the caller may
 * read.
 */
export function findRowTexts (
  log: ChangeLog, filter: object, most: number, options: OperationOptions
): MaybePromise<RowTexts | undefined> {
  const { Model: { compiled } } = log
  const shape = shapeOf(log)
  if (shape === undefined || log.notes?.Model.compiled.storeText === undefined) return undefined
  return chain(findKeyedTexts(compiled, filter, shape.keys, asInternal(options)), found => {
    // A row that lacks a value is shown with the default.
    if (found === undefined || found.keys.some(key => key.includes(null))) return undefined
    const ids = found.keys.map(([id]) => id as Id)
    if (ids.some(id => typeof id !== 'string' && typeof id !== 'number')) return undefined
    const shown = ids.slice(0, most)
    const keys = shown.map(id => changeId(log.Model.modelName, id))
    return chain(timesOf(log, keys), times => ({
      ids,
      changes: shown.map((id, i) => asChange(log, shape, id, found.texts[i] as string, times.get(keys[i] as string)))
    }))
  })
}

function asChange (
  { Model }: ChangeLog, { canonical }: Shape, id: Id, text: string, at = 'null'
): string {
  const isCanonical = text.length <= mostMatched && canonical.test(text)
  const rev = revisionOfText(Model, isCanonical ? text : canonicalJson(JSON.parse(text)))
  return `{"id":${JSON.stringify(id)},"rev":"${rev}","data":${text},"at":${at}}`
}

/** When rows were last written, as JSON, by the ids of their changes. */
function timesOf ({ notes, options }: ChangeLog, keys: readonly string[]): MaybePromise<ReadonlyMap<string, string>> {
  const times = new Map<string, string>()
  if (notes === undefined || keys.length === 0) return times
  const { compiled } = notes.Model
  const query = parseFilter(compiled, { where: { id: { inq: keys } }, fields: ['at'] }, compiled.parsing.internal)
  return chain(compiled.storeText?.findKeyed(compiled, query, ['id'], options), found => {
    const start = '{"at":'
    found?.texts.forEach((text, i) => {
      if (text.startsWith(start)) times.set(String(found.keys[i]?.[0]), text.slice(start.length, -1))
    })
    return times
  })
}
