/** Parameters and body of an operation. */
import type { ArgumentDefinition } from '@fastback/core'
import type { PublishedRoute } from '@fastback/rest'
import type { ArgumentSchemas } from './argument-schemas.js'
import { jsonSchema } from './json-schema.js'
import type { Content, Parameter, RequestBody, Schema } from '@fastback/ui/openapi'

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'

/** The path of a route as OpenAPI writes it: `/Notes/{id}`. */
export const openApiPath = (path: string): string => path.replaceAll(/:(\w+)(?:\([^)]*\))?/g, '{$1}')

/** Everything a route reads from path, query and headers; every name in its path is among them. */
export function parametersOf (route: PublishedRoute, schemas: ArgumentSchemas): Parameter[] {
  const parameters = route.arguments.flatMap(argument => {
    const definition = definitionOf(route, argument.name)
    if (definition?.documented === false || argument.in === 'body' || argument.in === 'form') return []
    const schema = schemas.of(route.method, definition, argument.schema)
    return [
      parameter(
        argument.name,
        argument.in,
        argument.required,
        definition === undefined ? 'Model id' : describe(definition),
        schema
      )
    ]
  })
  if (route.response.totalCount === 'asked') parameters.push(preferCount)
  if (route.idempotencyKey !== undefined) {
    parameters.push({ ...idempotencyKey, ...(route.idempotencyKey === 'required' ? { required: true } : {}) })
  }
  const named = new Set(parameters.filter(each => each.in === 'path').map(each => each.name))
  const left = [...openApiPath(route.path).matchAll(/\{(\w+)\}/g)]
    .map(match => match[1] as string)
    .filter(name => !named.has(name))
  return [...left.map(name => parameter(name, 'path', true, undefined, { type: 'string' })), ...distinct(parameters)]
}

const preferCount: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: 'count=exact: with the total of the list, in X-Total-Count and Content-Range',
  schema: { type: 'string', examples: ['count=exact'] }
}

/** The header by which repeats of a request have its effect once. */
export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A UUID for each new request, and the same one for its repeats: they have its effect once, and the response of the first one',
  schema: { type: 'string', minLength: 1, maxLength: 257, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] }
}

function definitionOf ({ method }: PublishedRoute, name: string): ArgumentDefinition | undefined {
  return method.accepts.find(({ arg }) => arg === name)
}

/** An object is JSON text; rest takes `name[key]=value` as well. */
function parameter (
  name: string,
  place: Parameter['in'],
  required: boolean,
  description: string | undefined,
  schema: Schema
): Parameter {
  const isObject = schema.$ref !== undefined || schema.type === 'object'
  const forms = isObject && place === 'query' ? `As JSON, or as ${name}[key]=value` : undefined
  const text = [description, forms].filter(each => each !== undefined).join('. ')
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    ...(text === '' ? {} : { description: text }),
    ...(schema.deprecated === true ? { deprecated: true } : {}),
    ...(isObject ? { content: { 'application/json': { schema } } } : { schema })
  }
}

/** A name may stand in a place once. */
const distinct = (parameters: readonly Parameter[]): Parameter[] =>
  parameters.filter(
    (each, index) => parameters.findIndex(other => other.name === each.name && other.in === each.in) === index
  )

/** The body of a route, or undefined. */
export function bodyOf (route: PublishedRoute, schemas: ArgumentSchemas): RequestBody | undefined {
  const { body, method } = route
  if (body === undefined) return undefined
  if (method.options.requestBody !== undefined && body.type !== undefined) {
    return { required: true, content: { [body.type]: { schema: jsonSchema(body.schema) } } }
  }
  const whole = method.accepts.find(({ http }) => typeof http === 'object' && http?.source === 'body')
  if (whole === undefined) return formBody(route, body, schemas)
  if (whole.documented === false) return undefined
  const schema = schemas.of(method, whole, body.schema)
  const description = describe(whole)
  const takesForms = whole.modelSchema !== undefined && whole.allowArray !== true
  return {
    required: body.required || whole.modelSchema !== undefined,
    ...(description === undefined ? {} : { description }),
    content: {
      ...content(route, schema, takesForms),
      ...filesForm(body.form),
      ...(body.takesPatches === true ? patches(schema) : {}),
      ...(body.takesLines === true ? lines : {})
    }
  }
}

/** A row a line (guide "Bulk"): the response is `{ "count": 2 }`. */
const lines: Content = {
  'application/x-ndjson': { schema: { type: 'string', description: 'A row as JSON in each line; the response is their count' } }
}

/** Documents that say what of a row changes: RFC 7396 and RFC 6902. */
const patches = (row: Schema): Content => ({
  'application/merge-patch+json': { schema: row },
  'application/json-patch+json': {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
          path: { type: 'string', description: 'A JSON pointer: /title, /tags/0, /tags/-' },
          from: { type: 'string', description: 'Of move and copy' },
          value: { description: 'Of add, replace and test' }
        },
        required: ['op', 'path']
      }
    }
  }
})

/** A row with files may come as a form as well: its fields are the properties. */
function filesForm (described: NonNullable<PublishedRoute['body']>['form']): Content {
  if (described === undefined) return {}
  const { schema, accept } = described
  const whole = jsonSchema(schema)
  return { [multipart]: { schema: whole, ...encodingOf(accept, whole.properties as Readonly<Record<string, Schema>>) } }
}

/** Media types of the files of a form. */
function encodingOf (
  accept: Readonly<Record<string, readonly string[]>> | undefined, properties: Readonly<Record<string, Schema>>
): Pick<Content[string], 'encoding'> {
  const limited = Object.entries(accept ?? {}).filter(([name]) => Object.hasOwn(properties, name))
  if (limited.length === 0) return {}
  return { encoding: Object.fromEntries(limited.map(([name, types]) => [name, { contentType: types.join(', ') }])) }
}

/** Named arguments are members of one object. */
function formBody (
  route: PublishedRoute,
  { required, schema, type, accept }: NonNullable<PublishedRoute['body']>,
  schemas: ArgumentSchemas
): RequestBody | undefined {
  const properties: Record<string, Schema> = {}
  for (const [name, described] of Object.entries(schema.properties as Record<string, unknown>)) {
    const definition = definitionOf(route, name)
    if (definition?.documented === false) continue
    const description = definition === undefined ? undefined : describe(definition)
    properties[name] = {
      ...(description === undefined ? {} : { description }),
      ...schemas.of(route.method, definition, described)
    }
  }
  if (Object.keys(properties).length === 0) return undefined
  const names = ((schema.required ?? []) as string[]).filter(name => Object.hasOwn(properties, name))
  const whole: Schema = { type: 'object', properties, ...(names.length === 0 ? {} : { required: names }) }
  if (type === undefined) return { required, content: content(route, whole, true) }
  return { required, content: { [type]: { schema: whole, ...encodingOf(accept, properties) } } }
}

const content = ({ conventions }: PublishedRoute, schema: Schema, takesForms: boolean): Content =>
  Object.fromEntries([...conventions.jsonBodies, ...(takesForms ? [form] : [])].map(type => [type, { schema }]))

const describe = ({ description }: ArgumentDefinition): string | undefined =>
  Array.isArray(description) ? description.join('\n') : description
