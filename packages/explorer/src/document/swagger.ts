/** From OpenAPI 3.0 to Swagger 2.0, for clients made for LoopBack's explorer (behaviour.md, section 14). */
import { literalKeywords, mapKeywords } from './json-schema.js'
import type { OpenApiDocument, Operation, Parameter, PathItem, RequestBody, Response, Schema } from '@fastback/ui/openapi'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

/**
 * The same description in Swagger 2.0.
 *
 * ```js
 * const swagger = toSwagger(openApiDocument(app.registry, { openapi: '3.0' }))
 * ```
 * @param document in OpenAPI 3.0
 */
export function toSwagger (document: OpenApiDocument): object {
  const { info, servers, tags, components } = document
  const basePath = servers[0]?.url ?? '/'
  const absolute = URL.canParse(basePath) ? new URL(basePath) : undefined
  const swagger = {
    swagger: '2.0',
    info,
    ...(absolute === undefined ? {} : { host: absolute.host, schemes: [absolute.protocol.slice(0, -1)] }),
    basePath: absolute?.pathname ?? basePath,
    tags,
    consumes: [json, form],
    produces: [json],
    paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, pathItem(item)])),
    definitions: components.schemas,
    responses: Object.fromEntries(Object.entries(components.responses).map(([name, each]) => [name, response(each)])),
    ...(components.securitySchemes === undefined
      ? {}
      : { securityDefinitions: components.securitySchemes, security: document.security })
  }
  return renamed(swagger) as object
}

function pathItem (item: PathItem): object {
  return Object.fromEntries(Object.entries(item).map(([verb, operation]) => [verb, swaggerOperation(operation)]))
}

function swaggerOperation ({ parameters = [], requestBody, responses, ...operation }: Operation): object {
  const all = [...parameters.map(parameter), ...bodyParameters(requestBody)]
  const produced = Object.values(responses).flatMap(each => '$ref' in each ? [] : Object.keys(each.content ?? {}))
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { consumes: Object.keys(requestBody.content) }),
    ...(produced.length === 0 || (produced.length === 1 && produced[0] === json) ? {} : { produces: produced }),
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => !status.endsWith('XX'))
        .map(([status, each]) => [status, '$ref' in each ? each : response(each)])
    )
  }
}

/** Parameters have no schema of their own, and cannot be deprecated; an object is a text of JSON. */
function parameter ({ schema, content, deprecated, ...rest }: Parameter): object {
  if (content !== undefined || schema === undefined) return { ...rest, type: 'string', format: 'JSON' }
  return { ...rest, ...simple(schema) }
}

function simple ({
  type,
  format,
  enum: values,
  items,
  minimum,
  maximum,
  minLength,
  maxLength,
  pattern
}: Schema): object {
  const kind =
    type === undefined || type === 'object'
      ? { type: 'string', ...(type === 'object' ? { format: 'JSON' } : {}) }
      : { type }
  const item = items as Schema | undefined
  const list =
    type === 'array'
      ? {
          items: { type: item?.type === 'object' || item?.type === undefined ? 'string' : item.type },
          collectionFormat: 'multi'
        }
      : {}
  return Object.fromEntries(
    Object.entries({
      ...kind,
      ...list,
      enum: values,
      minimum,
      maximum,
      minLength,
      maxLength,
      pattern,
      ...(format === undefined ? {} : { format })
    }).filter(([, value]) => value !== undefined)
  )
}

/** A body is one parameter. What may be one of several schemas is shown as the first. */
function bodyParameters (body: RequestBody | undefined): object[] {
  const schema = body?.content[json]?.schema
  const multipart = body?.content['multipart/form-data']?.schema
  // One operation has a body or form fields: a row is JSON there.
  if (multipart !== undefined && schema === undefined) return formParameters(multipart)
  if (body === undefined || schema === undefined) return []
  const { description, required } = body
  return [
    { name: 'data', in: 'body', required, ...(description === undefined ? {} : { description }), schema: plain(schema) }
  ]
}

/** Swagger has no lists of files: of several the first is shown. */
function formParameters ({ properties, required = [] }: Schema): object[] {
  return Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, schema]) => {
    const { format } = (schema.items ?? schema) as Schema
    return {
      name,
      in: 'formData',
      required: (required as string[]).includes(name),
      ...(schema.description === undefined ? {} : { description: schema.description }),
      ...(format === 'binary' ? { type: 'file' } : simple(schema))
    }
  })
}

function response ({ description, headers, content }: Response): object {
  const schema = (content?.[json] ?? Object.values(content ?? {})[0])?.schema
  const shown =
    headers === undefined
      ? undefined
      : Object.fromEntries(
        Object.entries(headers).map(([name, header]) => [
          name,
          {
            ...simple(header.schema),
            ...(header.description === undefined ? {} : { description: header.description })
          }
        ])
      )
  const file = schema?.format === 'binary' ? { type: 'file' } : undefined
  return {
    description,
    ...(shown === undefined ? {} : { headers: shown }),
    ...(schema === undefined ? {} : { schema: file ?? plain(schema) })
  }
}

const plain = (schema: Schema): Schema => (schema.anyOf as Schema[] | undefined)?.[0] ?? schema

/** References lead to other places, and schemas have neither branches nor null. */
function renamed (node: unknown): unknown {
  if (Array.isArray(node)) return node.map(renamed)
  if (node === null || typeof node !== 'object') return node
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') {
      result.$ref = String(value)
        .replace('#/components/schemas/', '#/definitions/')
        .replace('#/components/responses/', '#/responses/')
    } else if (key === 'nullable') result['x-nullable'] = value
    else if (mapKeywords.has(key) || key === 'definitions' || key === 'responses') {
      result[key] = Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, renamed(schema)]))
    } else if (!branches.has(key)) result[key] = literalKeywords.has(key) ? value : renamed(value)
  }
  return result
}

const branches: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not'])
