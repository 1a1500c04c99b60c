/**
 * Operators of MongoDB's spelling (`$gt`): refused, unless the model's setting `allowExtendedOperators` lets them in as
 * other names of the known ones.
 */
import { badQuery } from '../errors.js'
import { isPlainObject, type ParseContext } from './parse-context.js'

const plainNames: ReadonlyMap<string, string> = new Map([
  ['$eq', 'eq'],
  ['$ne', 'neq'],
  ['$gt', 'gt'],
  ['$gte', 'gte'],
  ['$lt', 'lt'],
  ['$lte', 'lte'],
  ['$in', 'inq'],
  ['$nin', 'nin'],
  ['$exists', 'exists'],
  ['$regex', 'regexp'],
  ['$options', 'options'],
  ['$and', 'and'],
  ['$or', 'or'],
  ['$nor', 'nor']
])

/**
 * What the call says, else the setting, which stands beside the others of the model, or among those for MongoDB, as
 * LoopBack has it.
 *
 * ```js
 * allowsOperators(Note.compiled, { allowExtendedOperators: true }) // true
 * ```
 */
export function allowsOperators (
  { settings: { allowExtendedOperators, mongodb } }: Pick<ParseContext['model'], 'settings'>,
  call: { readonly allowExtendedOperators?: boolean | undefined } | undefined
): boolean {
  return call?.allowExtendedOperators ?? (
    allowExtendedOperators === true ||
    (isPlainObject(mongodb) && (mongodb as { allowExtendedOperators?: unknown }).allowExtendedOperators === true)
  )
}

const allowsExtended = ({ options, model }: ParseContext): boolean => allowsOperators(model, options.call)

/**
 * The name of a key that begins with `$`, without it.
 * @param clause the object that has the key, for `details`
 * @throws RequestError 400 OPERATOR_NOT_ALLOWED_IN_QUERY unless the model allows such operators and this one is known
 */
export function plainOperator (context: ParseContext, key: string, clause: object): string {
  const name = allowsExtended(context) ? plainNames.get(key) : undefined
  if (name === undefined) throw notAllowed(clause)
  return name
}

/**
 * @throws RequestError 400 OPERATOR_NOT_ALLOWED_IN_QUERY when an object within a value has a key that begins with `$`
 */
export function checkOperatorKeys (context: ParseContext, value: object): void {
  if (Array.isArray(value)) {
    for (const item of value) if (item !== null && typeof item === 'object') checkOperatorKeys(context, item as object)
  } else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      if (key.startsWith('$')) throw notAllowed(value)
      const item = value[key]
      if (item !== null && typeof item === 'object') checkOperatorKeys(context, item)
    }
  }
}

/** Dotted paths (`tags.$`) are as little a way in as keys are. */
export function checkOperatorParts (parts: readonly string[], name: string): void {
  if (parts.some(part => part.startsWith('$'))) throw notAllowed({ [name]: true }, [name])
}

function notAllowed (clause: object, operators = Object.keys(clause).filter(key => key.startsWith('$'))): Error {
  return badQuery(`Operators "${operators.join(', ')}" are not allowed in query`, 'OPERATOR_NOT_ALLOWED_IN_QUERY', {
    operators,
    where: clause
  })
}
