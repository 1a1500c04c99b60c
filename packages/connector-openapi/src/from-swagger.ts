/** Swagger 2.0 as OpenAPI 3.0. */
import { entriesOf, listOf, objectOf, textOf, type Json } from './json.js'
import { References } from './references.js'

const verbs = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options'])

/**
 * ```js
 * fromSwagger({ swagger: '2.0', host: 'api.example', paths: {} }).servers // [{ url: 'https://api.example' }]
 * ```
 */
export function fromSwagger (document: Json): Json {
  const references = new References(document)
  const paths = entriesOf(document.paths).map(([path, item]) => [path, pathItem(objectOf(item), document, references)])
  const schemes = entriesOf(document.securityDefinitions)
    .map(([name, scheme]) => [name, securityScheme(objectOf(scheme))])
  return renamed({
    openapi: '3.0.3',
    info: document.info,
    servers: serversOf(document),
    security: document.security,
    paths: Object.fromEntries(paths) as Json,
    components: { schemas: document.definitions ?? {}, securitySchemes: Object.fromEntries(schemes) as Json }
  }) as Json
}

function serversOf ({ host, basePath, schemes }: Json): unknown[] {
  const path = textOf(basePath) ?? '/'
  if (textOf(host) === undefined) return [{ url: path }]
  const named = listOf(schemes)
  const scheme = named.includes('https') || named.length === 0 ? 'https' : 'http'
  return [{ url: `${scheme}://${String(host)}${path}` }]
}

function pathItem (item: Json, document: Json, references: References): Json {
  const shared = listOf(item.parameters).map(each => references.resolve(each))
  return Object.fromEntries(Object.entries(item).filter(([verb]) => verbs.has(verb)).map(([verb, given]) => {
    const { parameters, responses, consumes, produces, ...operation } = objectOf(given)
    const own = listOf(parameters).map(each => references.resolve(each))
    const names = new Set(own.map(each => `${String(each.in)} ${String(each.name)}`))
    const all = [...shared.filter(each => !names.has(`${String(each.in)} ${String(each.name)}`)), ...own]
    const body = requestBody(all, listOf(consumes ?? document.consumes))
    return [verb, {
      ...operation,
      parameters: all.filter(each => each.in !== 'body' && each.in !== 'formData').map(parameter),
      ...body === undefined ? {} : { requestBody: body },
      responses: responsesOf(responses, listOf(produces ?? document.produces), references)
    }]
  }))
}

const mediaTypes = (given: readonly unknown[], usual: string): string[] => {
  const named = given.filter(each => typeof each === 'string')
  return named.length === 0 ? [usual] : named
}

function requestBody (parameters: readonly Json[], consumes: readonly unknown[]): Json | undefined {
  const body = parameters.find(each => each.in === 'body')
  const content = (schema: unknown, types: readonly string[]): Json =>
    Object.fromEntries(types.map(type => [type, { schema }]))
  if (body !== undefined) {
    const { description, required, schema } = body
    return { description, required, content: content(schema, mediaTypes(consumes, 'application/json')) }
  }
  const fields = parameters.filter(each => each.in === 'formData')
  if (fields.length === 0) return undefined
  const hasFiles = fields.some(({ type }) => type === 'file')
  const usual = hasFiles ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(each => [String(each.name), fieldSchema(each)])),
    required: fields.filter(({ required }) => required === true).map(({ name }) => name)
  }
  return { content: content(schema, mediaTypes(hasFiles ? [] : consumes, usual)) }
}

const fieldSchema = (field: Json): Json =>
  field.type === 'file' ? { type: 'string', format: 'binary' } : schemaOf(field)

const ofParameters = new Set(['name', 'in', 'required', 'description', 'collectionFormat', 'allowEmptyValue'])
const schemaOf = (given: Json): Json =>
  Object.fromEntries(Object.entries(given).filter(([key]) => !ofParameters.has(key)))

const styles: Readonly<Record<string, Json>> = {
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false }
}

function parameter (given: Json): Json {
  const { name, in: place, required, description, collectionFormat, type } = given
  const usual = place === 'query' ? { style: 'form', explode: false } : {}
  const style = type === 'array' ? styles[String(collectionFormat)] ?? usual : {}
  return { name, in: place, required, description, ...style, schema: schemaOf(given) }
}

function responsesOf (responses: unknown, produces: readonly unknown[], references: References): Json {
  return Object.fromEntries(entriesOf(responses).map(([status, given]) => {
    const { description, schema } = references.resolve(given)
    const media = objectOf(schema).type === 'file' ? { schema: { type: 'string', format: 'binary' } } : { schema }
    const usual = objectOf(schema).type === 'file' ? 'application/octet-stream' : 'application/json'
    const content = Object.fromEntries(mediaTypes(produces, usual).map(type => [type, media]))
    return [status, { description, ...schema === undefined ? {} : { content } }]
  }))
}

function securityScheme (given: Json): Json {
  return given.type === 'basic' ? { type: 'http', scheme: 'basic' } : given
}

/** References as OpenAPI 3.0 has them. */
function renamed (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [
    key,
    key === '$ref' && typeof each === 'string' ? each.replace(/^#\/definitions\//, '#/components/schemas/') : renamed(each)
  ]))
}
