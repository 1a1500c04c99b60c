/** `fields`: a list, one name, or an object of true (only those) or false (all but those). */
import type { QueriedModel } from './queried-model.js'
import { badQuery } from '../errors.js'
import type { Selection } from './ast.js'
import { checkLimit, isPlainObject, excerpt, type ParseContext } from './parse-context.js'
import { maxSelections, queryNames } from './query-names.js'

/**
 * The selection of a filter. Equal selections of a model are the same object (as long as they are among the
 * `maxSelections` youngest ones). Unknown names are ignored where the model has no such properties; so are those of
 * hidden properties for callers from outside, so that the response tells nothing (S-11).
 * @throws RequestError 400 for what is no list of names
 */
export function readFields (context: ParseContext, fields: unknown): Selection {
  const named = fields === undefined || fields === null ? undefined : namesIn(context, fields)
  if (named === undefined) return everything(context)
  return internSelection(context.model, named.only ? only(context, named.names) : allBut(context, named.names))
}

function everything (context: ParseContext): Selection {
  if (!context.external || context.options.selectsHidden === true) return context.model.selectAll
  return context.options.protectedHidden === true ? context.model.selectIncluded : context.model.selectVisible
}

/** The names, and whether they are those to read or those to leave out. Undefined when nothing is said (`[]`, `{}`). */
function namesIn (context: ParseContext, fields: unknown): { names: ReadonlySet<string>, only: boolean } | undefined {
  if (typeof fields === 'string') return fields === '' ? undefined : { names: new Set([fields]), only: true }
  if (Array.isArray(fields)) {
    checkLimit(context, fields.length, context.limits.fields, 'fields')
    for (const name of fields as unknown[]) {
      if (typeof name !== 'string') throw badQuery(`The fields ${excerpt(fields)} are not valid`)
    }
    return fields.length === 0 ? undefined : { names: new Set(fields as string[]), only: true }
  }
  if (!isPlainObject(fields)) throw badQuery(`The fields ${excerpt(fields)} are not valid`)
  const keys = Object.keys(fields)
  checkLimit(context, keys.length, context.limits.fields, 'fields')
  if (keys.length === 0) return undefined
  const wanted = keys.filter(key => isTrue(fields[key]))
  return wanted.length > 0 ? { names: new Set(wanted), only: true } : { names: new Set(keys), only: false }
}

/** `filter[fields][name]=false` arrives as text. */
const isTrue = (value: unknown): boolean => Boolean(value) && value !== 'false' && value !== '0'

function only (context: ParseContext, names: ReadonlySet<string>): Selection {
  const { model } = context
  const asked = model.properties.filter(({ name }) => names.has(name))
  const declared = asked.filter(({ name }) => !isSecret(context, name)).map(({ name }) => name)
  if (!model.open || asked.length === names.size) return { names: declared, extra: 'none' }
  const extra = [...names]
    .filter(name => !context.names.paths.has(name) && !isSecret(context, name) && name !== '__proto__')
    .sort()
  return { names: declared, extra: extra.length === 0 ? 'none' : extra }
}

/** As in LoopBack, "all but" speaks of declared properties: others are left out, too. */
function allBut (context: ParseContext, names: ReadonlySet<string>): Selection {
  const declared = context.model.properties
    .filter(({ name }) => !names.has(name) && !isSecret(context, name))
    .map(property => property.name)
  return { names: declared, extra: 'none' }
}

const isSecret = (context: ParseContext, name: string): boolean =>
  context.secrets !== undefined && context.options.selectsHidden !== true && context.secrets.has(name)

/**
 * The one object that stands for this selection of the model: connectors keep what they prepare by it.
 *
 * ```js
 * const titles = internSelection(model, { names: ['title'], extra: 'none' })
 * titles === internSelection(model, { names: ['title'], extra: 'none' }) // true
 * ```
 */
export function internSelection (model: QueriedModel, selection: Selection): Selection {
  const { selections } = queryNames(model)
  const key =
    selection.extra === 'none' ? selection.names.join('\n') : JSON.stringify([selection.names, selection.extra])
  const known = selections.get(key)
  if (known !== undefined) return known
  if (selections.size >= maxSelections) selections.delete(selections.keys().next().value as string)
  selections.set(key, selection)
  return selection
}
