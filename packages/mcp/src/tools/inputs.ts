/** What a tool takes, and where the route of its method takes it. */
import type { PublishedRoute } from '@fastback/rest'
import type { RouteArguments } from '@fastback/rest/calls'
import type { Operation, Schema } from '@fastback/ui/openapi'
import { invalidArguments } from '../access/request-errors.js'
import { typesOf, type Components } from './schemas.js'

/** One argument. */
export interface Input {
  readonly name: string
  /** `data`: the body as it is; `form`: a member of it. The last three are said of a call, and are of no method. */
  readonly in: 'path' | 'query' | 'header' | 'data' | 'form' | 'state' | 'repeats' | 'reason'
  readonly required: boolean
  readonly schema: Schema
  /** Whether it is sent in a body, as an object or a list, and never as text. */
  readonly isStructure: boolean
}

type Described = Omit<Input, 'isStructure'>

export type Arguments = Readonly<Record<string, unknown>>

/**
 * The arguments of a tool.
 * @param operation how OpenAPI describes the route
 * @param isRead a reason is not asked for then
 * @param components the schemas that those of the operation refer to
 */
export function inputsOf (
  route: PublishedRoute, operation: Operation, isRead: boolean, components: Components
): Input[] {
  const described = (operation.parameters ?? []).flatMap((parameter): Described[] => {
    const { name, in: where, required, description, schema, content } = parameter
    const isOwn = where === 'path' || where === 'query' ||
      (where === 'header' && route.arguments.some(each => each.in === 'header' && each.name === name))
    if (!isOwn) return []
    const own = schema ?? content?.['application/json']?.schema ?? {}
    return [{ name, in: where, required: required === true, schema: withDescription(own, plain(description)) }]
  })
  const all = [...described, ...bodyInputs(route, operation), ...writeInputs(route)]
  const names = new Set(all.map(({ name }) => name))
  const distinct = all.filter(({ name }, index) => all.findIndex(each => each.name === name) === index)
  const inputs = isRead || names.has('reason') ? distinct : [...distinct, reason]
  return inputs.map(input => ({ ...input, isStructure: isStructure(input, components) }))
}

function isStructure ({ in: where, schema }: Described, components: Components): boolean {
  if (where !== 'data' && where !== 'form') return false
  const types = typesOf(schema, components)
  return types.length > 0 && types.every(type => type === 'object' || type === 'array')
}

const reason: Described = {
  name: 'reason', in: 'reason', required: false, schema: { type: 'string', description: 'Why this is done; kept with the record of the call.' }
}

/** Of texts about the query string. */
const plain = (description: string | undefined): string | undefined =>
  description?.replace(/(?:\. )?As JSON, or as \S+$/, '')

const withDescription = (schema: Schema, description: string | undefined): Schema =>
  description === undefined || description === '' ? schema : { description, ...schema }

function bodyInputs ({ method }: PublishedRoute, { requestBody }: Operation): Described[] {
  const content = requestBody?.content ?? {}
  const schema = content['application/json']?.schema ?? Object.values(content)[0]?.schema
  if (requestBody === undefined || schema === undefined) return []
  const single = method.accepts.find(({ http }) =>
    typeof http === 'object' && http !== null && 'source' in http && http.source === 'body')
  if (single !== undefined) {
    return [{ name: single.arg, in: 'data', required: requestBody.required === true, schema: withDescription(schema, requestBody.description) }]
  }
  const required = (schema.required ?? []) as readonly string[]
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, own]): Described =>
    ({ name, in: 'form', required: required.includes(name), schema: own }))
}

/** The state of the row that a write expects, and the key of its repeats. */
function writeInputs ({ method, response: { state }, idempotencyKey }: PublishedRoute): Described[] {
  const { version } = method.model.compiled
  const expected: Described[] = state?.compares === true && version !== undefined
    ? [{
        name: 'ifVersion',
        in: 'state',
        required: state.requires,
        schema: { type: 'integer', description: `Writes only where "${version.name}" of the row is this.` }
      }]
    : []
  return idempotencyKey === undefined
    ? expected
    : [...expected, {
        name: 'idempotencyKey',
        in: 'repeats',
        required: idempotencyKey === 'required',
        schema: { type: 'string', maxLength: 257, description: 'Of repeats with one key only the first is done.' }
      }]
}

/**
 * Arguments as a tool was given them; of what is in them the route of the method judges.
 * @throws RequestError 400 MCP_INVALID_ARGUMENTS
 */
export function checkedArguments (inputs: readonly Input[], given: Arguments): Arguments {
  for (const name of Object.keys(given)) {
    if (!inputs.some(input => input.name === name)) {
      throw invalidArguments(`The tool takes no argument "${name.slice(0, 100)}": it takes ${listed(inputs)}.`)
    }
  }
  const checked: Record<string, unknown> = {}
  for (const input of inputs) {
    const value = Object.hasOwn(given, input.name) ? given[input.name] : undefined
    if (value === undefined || value === null) {
      if (input.required) throw invalidArguments(`The argument "${input.name}" is required.`)
      continue
    }
    const read = input.isStructure && typeof value === 'string' ? structureIn(value) : value
    mustHaveForm(input, read)
    checked[input.name] = read
  }
  return checked
}

/** Models and some clients send objects as their JSON: what is none stays as it is, for the route to judge. */
function structureIn (text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const listed = (inputs: readonly Input[]): string =>
  inputs.length === 0 ? 'none' : inputs.map(({ name }) => `"${name}"`).join(', ')

/** What becomes a part of an address or a header keeps the form that it has in JSON. */
function mustHaveForm ({ name, in: where, schema }: Input, value: unknown): void {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const fault = (what: string): Error => invalidArguments(`The argument "${name}" must be ${what}.`)
  if (where === 'state' && !Number.isSafeInteger(value)) throw fault('an integer')
  if (['repeats', 'reason'].includes(where) && typeof value !== 'string') throw fault('a string')
  if ((where === 'path' || where === 'header') && !isScalar) throw fault('a string, a number or a boolean')
  if (['header', 'repeats'].includes(where) && !/^[\t\x20-\x7e]*$/.test(String(value))) {
    throw fault('text of ASCII characters, on one line')
  }
  if (where === 'query' && takesObject(schema) && isScalar) throw fault('an object')
}

const takesObject = ({ $ref, type }: Schema): boolean => $ref !== undefined || type === 'object'

/** Where the route takes them. */
export function routeArguments (inputs: readonly Input[], given: Arguments): RouteArguments {
  const of = (where: Input['in']): Record<string, unknown> => Object.fromEntries(
    inputs
      .filter(input => input.in === where && Object.hasOwn(given, input.name))
      .map(({ name }) => [name, given[name]])
  )
  const [data] = Object.values(of('data'))
  const [version] = Object.values(of('state'))
  const [key] = Object.values(of('repeats'))
  const form = of('form')
  return {
    path: of('path'),
    query: of('query'),
    headers: {
      ...Object.fromEntries(Object.entries(of('header')).map(([name, value]) => [name.toLowerCase(), String(value)])),
      ...(version === undefined ? {} : { 'if-match': `"${String(version)}"` }),
      ...(key === undefined ? {} : { 'idempotency-key': String(key) })
    },
    ...(data !== undefined ? { body: data } : inputs.some(input => input.in === 'form') ? { body: form } : {})
  }
}
