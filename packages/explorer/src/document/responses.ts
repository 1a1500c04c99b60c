/** Responses of an operation. */
import type { MethodResponse, ReturnDefinition } from '@fastback/core'
import type { PublishedRoute } from '@fastback/rest'
import type { ArgumentSchemas } from './argument-schemas.js'
import type { ErrorResponses, ErrorStatus } from './errors.js'
import { jsonSchema, orNull } from './json-schema.js'
import { streamContent } from './streams.js'
import type { Content, Header, Operation, Response, Schema } from '@fastback/ui/openapi'

export interface ResponseContext {
  readonly schemas: ArgumentSchemas
  readonly errors: ErrorResponses
  /** Whether requests may carry an access token. */
  readonly secured: boolean
  /** Whether a busy server refuses requests. */
  readonly underPressure: boolean
}

/** Operations that answer with the whole row that they wrote. */
const writes = new Set([
  'create',
  'patchOrCreate',
  'replaceOrCreate',
  'upsertWithWhere',
  'replaceById',
  'patchAttributes'
])

/** Operations that look for a row by what is in their data. */
const looksUp = new Set(['findOne', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere'])

/** Answers by status. */
export function responsesOf (
  route: PublishedRoute,
  reads: { body: boolean },
  context: ResponseContext
): Operation['responses'] {
  const {
    method: { responses },
    response: { status, errorStatus, ownStatus, ownAnswer }
  } = route
  const { errors } = context
  const done = success(route, context)
  const own = errorStatus === undefined
    ? responses
    : { [errorStatus]: { description: 'The method failed' }, ...responses }
  return {
    [String(status)]: done,
    ...(ownStatus ? { '2XX': done } : {}),
    ...(ownAnswer
      ? {
          '2XX': { description: 'What the method sends by itself', content: anything },
          '3XX': redirection('Where the method leads')
        }
      : {}),
    ...(route.response.state?.isRead === true ? { 304: { description: 'The client has this state of the row', headers: tagHeader } } : {}),
    ...Object.fromEntries(frameworkStatuses(route, reads, context).map(each => [String(each), errors.ref(each)])),
    ...Object.fromEntries(
      Object.entries(own).map(([each, said]) => {
        const base = Number(each) === status ? done : otherResponse(Number(each), said, errors)
        return [each, { ...base, ...written(base, said) }]
      })
    ),
    default: errors.other()
  }
}

const tagHeader: Readonly<Record<string, Header>> = {
  ETag: { description: 'The state of the row: for If-Match and If-None-Match', schema: { type: 'string' } }
}

/** What is so for a status by itself. */
function otherResponse (status: number, { description }: MethodResponse, errors: ErrorResponses): Response {
  if (status >= 400) return errors.own(status, description)
  return status >= 300 && status !== 304 && status < 400 ? redirection(description) : { description }
}

/** What a method says of a response, over what is so anyway. */
function written (base: Response, { description, headers, body }: MethodResponse): Response {
  const named = Object.entries(headers ?? {}).map(
    ([name, text]): [string, Header] => [name, { description: text, schema: { type: 'string' } }]
  )
  return {
    description,
    ...(named.length === 0 ? {} : { headers: { ...base.headers, ...Object.fromEntries(named) } }),
    ...(body === undefined ? {} : { content: { [body.type]: { schema: jsonSchema(body.schema) } } })
  }
}

const anything: Content = { '*/*': { schema: {} } }

const redirection = (description: string): Response => ({
  description,
  headers: { Location: { schema: { type: 'string' } } }
})

/** The errors that do not come out of the method itself. */
function frameworkStatuses (
  { method, path, verb, response: { state } }: PublishedRoute,
  { body }: { body: boolean },
  { secured, underPressure }: ResponseContext
): ErrorStatus[] {
  const { settings, registry } = method.model
  const changes = verb !== 'GET' && verb !== 'HEAD'
  const isStored = method.builtin !== undefined || method.relation !== undefined
  const refusal = secured ? Number(settings.aclErrorStatus ?? registry.settings.aclErrorStatus ?? 401) : undefined
  const statuses: ReadonlyArray<readonly [ErrorStatus, boolean]> = [
    [400, true],
    [401, secured],
    [403, refusal === 403 || (secured && changes && settings.ownerFromToken === true)],
    [404, refusal === 404 || /:\w/.test(path) || looksUp.has(method.builtin ?? '')],
    [406, true],
    [409, changes && isStored],
    [412, state?.compares === true],
    // Bodies are read for every verb that may have one, whether the method wants them or not.
    [413, changes],
    [415, changes],
    [422, body],
    [428, state?.requires === true],
    [431, true],
    [503, underPressure]
  ]
  return statuses.flatMap(([status, occurs]) => (occurs ? [status] : []))
}

function success (route: PublishedRoute, { schemas }: ResponseContext): Response {
  const { method, response, verb } = route
  const headers = {
    ...headersOf(route), ...totalHeaders(route), ...(response.state?.isTagged === true ? tagHeader : {})
  }
  const inBody = method.returns.filter(({ http }) => http?.target === undefined)
  const root = inBody.find(each => each.root === true)
  return {
    description:
      [...inBody, ...method.returns].map(each => described(each).description).find(text => text !== undefined) ??
      (response.schema === undefined ? 'Done' : 'Success'),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(inBody.length === 0 || verb === 'HEAD'
      ? {}
      : { content: { ...contentOf(route, inBody, root, schemas), ...(response.ownAnswer ? anything : {}) } })
  }
}

/** Headers that the method returns. The type of the body is said with the body. */
function headersOf ({ method }: PublishedRoute): Record<string, Header> {
  const returned = method.returns.filter(({ http }) => http?.target === 'header')
  const named = returned.map(
    each => [each.http?.header ?? each.arg ?? 'result', { schema: { type: 'string' }, ...described(each) }] as const
  )
  return Object.fromEntries(named.filter(([name]) => !isContentType(name)))
}

const isContentType = (name: string): boolean => name.toLowerCase() === 'content-type'

/** The total of a list, beside its page. */
function totalHeaders ({ response: { totalCount, rowTypes } }: PublishedRoute): Record<string, Header> {
  if (totalCount === false) return {}
  const required = totalCount === true ? { required: true } : {}
  return {
    'X-Total-Count': {
      description: 'How many rows there are in all',
      ...required,
      schema: { type: 'integer', minimum: 0 }
    },
    'Content-Range': {
      description: 'Which of them these are: items 10-19/45',
      // Rows that are read while they are written are not counted before.
      ...(rowTypes.length === 0 ? required : {}),
      schema: { type: 'string', pattern: '^items (\\d+-\\d+|\\*)/\\d+$' }
    },
    ...(totalCount === 'asked'
      ? {
          'Preference-Applied': {
            description: 'Whether the rows were counted',
            schema: { type: 'string', enum: ['count=exact'] }
          }
        }
      : {})
  }
}

function contentOf (
  route: PublishedRoute,
  inBody: readonly ReturnDefinition[],
  root: ReturnDefinition | undefined,
  schemas: ArgumentSchemas
): Content {
  const { method, response, conventions } = route
  if (root?.type === 'file' || (root?.type === 'ReadableStream' && root.json !== true)) return fileContent(route)
  if (inBody.some(({ type, json }) => type === 'ReadableStream' && json === true)) {
    return streamContent(method, schemas.models)
  }
  const json = (schema: Schema): Content => Object.fromEntries(conventions.results.map(type => [type, { schema }]))
  if (root !== undefined) {
    const schema = rootSchema(route, root, schemas)
    return { ...json(schema), ...rowContent(response.rowTypes, schema) }
  }
  const written = (response.schema?.properties ?? {}) as Record<string, unknown>
  const properties = inBody.map(
    each => [each.arg ?? 'result', schemas.result(method, each, written[each.arg ?? 'result'])] as const
  )
  return json({
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(method.builtin === undefined ? {} : { required: properties.map(([name]) => name) })
  })
}

/** Lists that are written row by row: each line is a row as JSON, or CSV. */
const rowContent = (types: readonly string[], list: Schema): Content => Object.fromEntries(types.map(type =>
  [type, { schema: type === 'text/csv' ? { type: 'string' } : list.items as Schema | undefined ?? {} }]))

/** A file has the type that the method gives it. */
function fileContent ({ method }: PublishedRoute): Content {
  const typed = method.returns.some(
    ({ arg, http }) => http?.target === 'header' && isContentType(http.header ?? arg ?? '')
  )
  return { [typed ? '*/*' : 'application/octet-stream']: { schema: { type: 'string', format: 'binary' } } }
}

const countOfRows: Schema = {
  type: 'object',
  properties: { count: { type: 'integer', minimum: 0, description: 'The number of rows' } },
  required: ['count']
}

function rootSchema ({ method, response }: PublishedRoute, root: ReturnDefinition, schemas: ArgumentSchemas): Schema {
  if (method.builtin === 'deleteById' || method.builtin === 'updateAll') return countOfRows
  const schema = writes.has(method.builtin ?? '')
    ? schemas.models.stored(method.model)
    : schemas.result(method, root, response.schema)
  const takesLists = method.accepts.some(({ allowArray }) => allowArray === true)
  if (takesLists && schema.type !== 'array') return { anyOf: [schema, { type: 'array', items: schema }] }
  const relation = method.relation === undefined ? undefined : method.model.compiled.relations.get(method.relation)
  return relation?.type === 'belongsTo' ? orNull(schema) : schema
}

const described = ({ description }: ReturnDefinition): { description?: string } =>
  description === undefined ? {} : { description: [description].flat().join('\n') }
