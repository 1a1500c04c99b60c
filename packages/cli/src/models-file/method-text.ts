/**
 * Remote methods of a model as functions: they take their arguments in the order in which they are declared, and answer
 * with a promise.
 */
import type { ArgumentDefinition, SharedMethod } from '@fastback/core'
import { comment, identifier, key } from './text.js'

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
 * A member of a type.
 * @param models names of the models that the file has types for
 * @param indent of the member
 */
export function methodText (method: SharedMethod, models: ReadonlySet<string>, indent: string): string {
  // `?` may only stand where nothing that must be there follows.
  const lastRequired = method.accepts.map(each => each.required === true).lastIndexOf(true)
  const parameters = method.accepts.map((each, index) => {
    const type = fromFramework(each) ?? typeText(each.type, models)
    return `${parameterName(each, index)}${index > lastRequired ? '?' : ''}: ${type}${each.required === true || index > lastRequired ? '' : ' | undefined'}`
  })
  const results = method.returns.map(each => typeText(each.type, models))
  const result = results.length === 0 ? 'void' : results.length === 1 ? results[0] as string : `[${results.join(', ')}]`
  return `${comment(method.description, indent)}${key(method.name)}: (${parameters.join(', ')}) => Promise<${result}>`
}

function typeText (written: unknown, models: ReadonlySet<string>): string {
  if (Array.isArray(written)) return `Array<${typeText(written[0], models)}>`
  if (typeof written === 'function') {
    return typeText((written as { modelName?: string }).modelName ?? written.name, models)
  }
  if (typeof written !== 'string') return 'unknown'
  const list = /^\[(.+)\]$/.exec(written.trim())
  if (list !== null) return `Array<${typeText(list[1], models)}>`
  return models.has(written) ? identifier(written) : types[written.trim().toLowerCase()] ?? 'unknown'
}

/** Options, request, response and context are handed in by the framework. */
function fromFramework ({ http }: ArgumentDefinition): string | undefined {
  if (http === 'optionsFromRequest') return 'fastback.OperationOptions'
  const source = typeof http === 'object' ? http.source : undefined
  return typeof http === 'function' || source === 'req' || source === 'res' || source === 'context' ? 'any' : undefined
}

/** Names that TypeScript keeps for itself cannot be parameters. */
const reserved =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

function parameterName ({ arg }: ArgumentDefinition, index: number): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(arg) && !reserved.test(arg) ? arg : `argument${index + 1}`
}
