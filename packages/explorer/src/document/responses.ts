/** Answers of an operation. */
import type { ReturnDefinition } from '@fastback/core'
import type { PublishedRoute } from '@fastback/rest'
import type { ArgumentSchemas } from './argument-schemas.js'
import type { ErrorResponses, ErrorStatus } from './errors.js'
import { orNull } from './json-schema.js'
import type { Content, Operation, Response, Schema } from './types.js'

export interface ResponseContext {
  readonly schemas: ArgumentSchemas
  readonly errors: ErrorResponses
  /** Whether requests may carry an access token. */
  readonly secured: boolean
}

/** Operations that may meet a row with the same id. */
const storing = new Set(['create', 'replaceOrCreate', 'patchOrCreate', 'upsertWithWhere'])

/** Answers by status. */
export function responsesOf (route: PublishedRoute, reads: { body: boolean, parameters: boolean }, context: ResponseContext): Operation['responses'] {
  const { method } = route
  const { errors } = context
  const statuses: ErrorStatus[] = []
  if (reads.parameters || reads.body) statuses.push(400)
  if (context.secured) statuses.push(401)
  if (context.secured && method.model.settings.aclErrorStatus === 403) statuses.push(403)
  if (/:\w/.test(route.path) || method.builtin === 'findOne') statuses.push(404)
  if (storing.has(method.builtin ?? '')) statuses.push(409)
  if (reads.body) statuses.push(413, 415, 422)
  return {
    [String(route.response.status)]: success(route, context),
    ...Object.fromEntries(statuses.map(status => [String(status), errors.ref(status)])),
    default: errors.other()
  }
}

function success (route: PublishedRoute, { schemas }: ResponseContext): Response {
  const { method, response, verb } = route
  const headers = method.returns.filter(({ http }) => http?.target === 'header').map(each => [each.http?.header ?? each.arg ?? 'result', { schema: { type: 'string' }, ...described(each) }] as const)
  const inBody = method.returns.filter(({ http }) => http?.target === undefined)
  const root = inBody.find(each => each.root === true)
  return {
    description: [...inBody, ...method.returns].map(each => described(each).description).find(text => text !== undefined) ?? (response.schema === undefined ? 'Done' : 'Success'),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(inBody.length === 0 || verb === 'HEAD' ? {} : { content: contentOf(route, inBody, root, schemas) })
  }
}

function contentOf (route: PublishedRoute, inBody: readonly ReturnDefinition[], root: ReturnDefinition | undefined, schemas: ArgumentSchemas): Content {
  const { method, response } = route
  if (root?.type === 'file' || (root?.type === 'ReadableStream' && root.json !== true)) return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  if (inBody.some(({ type, json }) => type === 'ReadableStream' && json === true)) return streamContent
  if (root !== undefined) return { 'application/json': { schema: rootSchema(route, root, schemas) } }
  const written = (response.schema?.properties ?? {}) as Record<string, unknown>
  const properties = inBody.map(each => [each.arg ?? 'result', schemas.result(method, each, written[each.arg ?? 'result'])] as const)
  return { 'application/json': { schema: { type: 'object', properties: Object.fromEntries(properties), ...(method.builtin === undefined ? {} : { required: properties.map(([name]) => name) }) } } }
}

const change: Schema = {
  type: 'object',
  properties: { type: { type: 'string', enum: ['create', 'update', 'remove'] }, target: { description: 'Id of the row' }, data: { type: 'object' }, where: { type: 'object' } },
  required: ['type']
}

const streamContent: Content = {
  'application/json': { schema: change },
  'text/event-stream': { schema: { type: 'string', description: 'Events named data, each with a change as JSON' } }
}

const countOfRows: Schema = { type: 'object', properties: { count: { type: 'integer', minimum: 0, description: 'The number of rows' } }, required: ['count'] }

function rootSchema ({ method, response }: PublishedRoute, root: ReturnDefinition, schemas: ArgumentSchemas): Schema {
  if (method.builtin === 'deleteById' || method.builtin === 'updateAll') return countOfRows
  const schema = schemas.result(method, root, response.schema)
  const takesLists = method.accepts.some(({ allowArray }) => allowArray === true)
  if (takesLists && schema.type !== 'array') return { anyOf: [schema, { type: 'array', items: schema }] }
  const relation = method.relation === undefined ? undefined : method.model.compiled.relations.get(method.relation)
  return relation?.type === 'belongsTo' ? orNull(schema) : schema
}

const described = ({ description }: ReturnDefinition): { description?: string } => description === undefined ? {} : { description: [description].flat().join('\n') }
