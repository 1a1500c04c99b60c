/**
 * Remote methods of a model as functions: they take their arguments in the order in which they are declared, and answer
 * with a promise.
 */
import type { ArgumentDefinition, ReturnDefinition, SharedMethod } from '@fastback/core'
import type { Schema } from '@fastback/explorer'
import { schemaText } from './schema-text.js'
import { comment, isIdentifier, key, object, rowName } from '../source-text.js'

/** Types by the names that remote methods use. */
const types: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  long: 'number',
  boolean: 'boolean',
  date: 'Date',
  object: 'Record<string, unknown>',
  array: 'unknown[]',
  buffer: 'Buffer',
  geopoint: 'fastback.GeoPoint'
}

/**
 * A member of a type: the function.
 * @param models names of the models that the file has types for
 * @param indent of the member
 */
export function methodText (method: SharedMethod, models: ReadonlySet<string>, indent: string): string {
  const results = method.returns.map(each => valueText(each, models, indent))
  const result = results.length === 0 ? 'void' : results.length === 1 ? results[0] as string : `[${results.join(', ')}]`
  const parameters = method.byName ? byName(method, models, indent) : oneByOne(method, models, indent)
  return `${comment(method.description, indent)}${key(method.name)}: (${parameters.join(', ')}) => Promise<${result}>`
}

function oneByOne ({ accepts }: SharedMethod, models: ReadonlySet<string>, indent: string): string[] {
  // `?` may only stand where nothing that must be there follows.
  const lastRequired = accepts.map(each => each.required === true).lastIndexOf(true)
  return accepts.map((each, index) => {
    const type = fromFramework(each) ?? valueText(each, models, indent)
    return `${parameterName(each, index)}${index > lastRequired ? '?' : ''}: ${type}${each.required === true || index > lastRequired ? '' : ' | undefined'}`
  })
}

function byName (method: SharedMethod, models: ReadonlySet<string>, indent: string): string[] {
  const isNeeded = method.accepts.some(({ required }) => required === true)
  return [`args${isNeeded ? '' : '?'}: ${argumentsText(method, models, indent)}`, 'options?: fastback.OperationOptions']
}

const argumentsText = ({ accepts }: SharedMethod, models: ReadonlySet<string>, indent: string): string =>
  object(accepts.map(each =>
    `${key(each.arg)}${each.required === true ? '' : '?'}: ${fromFramework(each) ?? valueText(each, models, indent)}`))

/** The same for remote hooks: arguments by name, and what `ctx.result` is. */
export function callText (method: SharedMethod, models: ReadonlySet<string>, indent: string): string {
  const { fullName, returns } = method
  const inBody = returns.filter(({ http }) => http?.target === undefined)
  const root = inBody.find(each => each.root === true)
  const result = inBody.length === 0
    ? 'unknown'
    : root !== undefined
      ? valueText(root, models, indent)
      : object(inBody.map(each => `${key(each.arg ?? 'result')}: ${valueText(each, models, indent)}`))
  return `${key(fullName)}: { args: ${argumentsText(method, models, indent)}, result: ${result} }`
}

/** The type of an argument or a result: of its name, or where that says little of its schema. */
function valueText (
  { type, jsonSchema }: ArgumentDefinition | ReturnDefinition, models: ReadonlySet<string>, indent: string
): string {
  const named = typeText(type, models)
  const isPlain = type === 'date' || type === 'buffer' || type === 'geopoint'
  return jsonSchema === undefined || isPlain ? named : schemaText(jsonSchema as Schema, indent)
}

function typeText (written: unknown, models: ReadonlySet<string>): string {
  if (Array.isArray(written)) return `Array<${typeText(written[0], models)}>`
  if (typeof written === 'function') {
    return typeText((written as { modelName?: string }).modelName ?? written.name, models)
  }
  if (typeof written !== 'string') return 'unknown'
  const list = /^\[(.+)\]$/.exec(written.trim())
  if (list !== null) return `Array<${typeText(list[1], models)}>`
  return models.has(written) ? rowName(written) : types[written.trim().toLowerCase()] ?? 'unknown'
}

/** Options, request, response and context are handed in by the framework. */
function fromFramework ({ http }: ArgumentDefinition): string | undefined {
  if (http === 'optionsFromRequest') return 'fastback.OperationOptions'
  const source = typeof http === 'object' ? http.source : undefined
  return typeof http === 'function' || source === 'req' || source === 'res' || source === 'context' ? 'any' : undefined
}

/** Names that TypeScript keeps for itself cannot be parameters. */
function parameterName ({ arg }: ArgumentDefinition, index: number): string {
  return isIdentifier(arg) ? arg : `argument${index + 1}`
}
