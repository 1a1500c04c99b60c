/** What is chosen in the builder of filters, and the filter that it makes. */
import { noConditions, whereOf, type Group } from '../query/conditions.js'
import { searchName, type ConditionSubject } from '../query/subjects.js'

/** What is chosen for a relation; there is an entry for each that is read. */
export interface Scope {
  readonly conditions: Group
  readonly limit: string
}

export interface Choices {
  readonly conditions: Group
  readonly words: string
  readonly order: string
  readonly direction: string
  readonly limit: string
  readonly skip: string
  readonly fields: readonly string[]
  readonly include: Readonly<Record<string, Scope>>
}

export const nothingChosen: Choices = {
  conditions: noConditions, words: '', order: '', direction: 'ASC', limit: '', skip: '', fields: [], include: {}
}

/** What can be chosen. */
export interface Offered {
  /** Whether it is a condition alone, and no filter. */
  readonly isWhere: boolean
  readonly subjects: readonly ConditionSubject[]
  readonly relations: ReadonlyArray<{ readonly name: string, readonly subjects: readonly ConditionSubject[] }>
}

/** The filter, or the condition, as REST takes it; an empty object where nothing is chosen. */
export function filterOf (chosen: Choices, { isWhere, subjects, relations }: Offered): object {
  const words = chosen.words === '' ? undefined : { [searchName]: chosen.words }
  const found = whereOf(chosen.conditions, subjects)
  const condition = words === undefined ? found : { ...found, ...words }
  if (isWhere) return condition ?? {}
  const include = relations.flatMap(({ name, subjects: those }) => {
    const scope = chosen.include[name]
    return scope === undefined ? [] : [included(name, scope, those)]
  })
  const order = chosen.order.includes(' ') ? chosen.order : `${chosen.order} ${chosen.direction}`
  return {
    ...condition === undefined ? {} : { where: condition },
    ...chosen.order === '' ? {} : { order },
    ...numberOf('limit', chosen.limit),
    ...numberOf('skip', chosen.skip),
    ...chosen.fields.length === 0 ? {} : { fields: chosen.fields },
    ...include.length === 0 ? {} : { include: include.length === 1 ? include[0] : include }
  }
}

/** A relation to read, with what to read of it. */
function included (name: string, { conditions, limit }: Scope, subjects: readonly ConditionSubject[]): string | object {
  const where = whereOf(conditions, subjects)
  const scope = { ...where === undefined ? {} : { where }, ...numberOf('limit', limit) }
  return Object.keys(scope).length === 0 ? name : { relation: name, scope }
}

const numberOf = (name: string, text: string): object => text === '' ? {} : { [name]: Number(text) }
