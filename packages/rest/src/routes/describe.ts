/** Data about routes, for anyone who documents them. */
import type { ModelRegistry, ReturnDefinition, SharedMethod } from '@fastback/core'
import { tagSourceOf } from '../conditions/row-call.js'
import { rowMethodOf } from '../conditions/row-method.js'
import { takesLines } from '../lines/create-lines.js'
import { takesPatches } from '../patches/row-patch.js'
import { fileArguments, type FileArgument } from '../multipart/file-arguments.js'
import { modelSchemaOf } from '../parse/body-argument.js'
import { idempotencyOf } from '../idempotency/methods.js'
import type { IdempotencyLimits } from '../idempotency/settings.js'
import { pathNames } from '../parse/path-names.js'
import { argumentSchema, resolveArgumentType, type JsonSchema } from '../parse/schema.js'
import { sourceOf } from '../parse/source.js'
import { isCountable, type TotalCount } from '../handlers/total-count.js'
import { rowTypes } from '../rows/row-encoding.js'
import { streamingOf } from '../rows/streaming.js'
import type { Conventions } from './conventions.js'
import type { ModelPlan } from './plan.js'

export interface DescribedArgument {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'body' | 'form'
  readonly required: boolean
  readonly description: string | undefined
  /** JSON Schema; in the query an object is JSON text or `name[key]=value`. */
  readonly schema: JsonSchema
}

export interface DescribedRoute {
  readonly method: SharedMethod
  /** In capitals. */
  readonly verb: string
  /** Below the prefix, with `:name` for parameters. */
  readonly path: string
  readonly arguments: readonly DescribedArgument[]
  readonly body: DescribedBody | undefined
  readonly response: DescribedResponse
  /** Whether the header `Idempotency-Key` is taken. */
  readonly idempotencyKey?: 'optional' | 'required'
}

export interface DescribedBody {
  readonly required: boolean
  readonly schema: JsonSchema
  /** The media type, where it is another than those of all methods. */
  readonly type?: string
  /** Media types of a form's files, by field, where not every type is taken. */
  readonly accept?: Readonly<Record<string, readonly string[]>>
  /** Where the body is a row with files: the form that it may come as, too. */
  readonly form?: Pick<DescribedBody, 'accept'> & { readonly schema: JsonSchema }
  /** Whether a row may be changed by a merge patch or a JSON patch as well. */
  readonly takesPatches?: true
  /** Whether rows may come as lines of JSON as well; the response then says how many there were. */
  readonly takesLines?: true
}

export interface DescribedResponse {
  readonly status: number
  readonly schema: JsonSchema | undefined
  /** Status of errors that have none of their own. */
  readonly errorStatus: number | undefined
  /** Whether the method returns the status of its success. */
  readonly ownStatus: boolean
  /** Whether the method gets the response, may answer by itself, and does not say what it then answers. */
  readonly ownAnswer: boolean
  /** When the list comes with its total; false for all that is no list. */
  readonly totalCount: TotalCount
  /** Further media types of a list that is written row by row. */
  readonly rowTypes: readonly string[]
  /** What the route does with the state of one row; undefined where its rows have no tags. */
  readonly state: DescribedState | undefined
}

/** The state of one row: `ETag` of the response, conditions of the request. */
export interface DescribedState {
  /** Whether the response has an `ETag`. */
  readonly isTagged: boolean
  /** Whether it is 304 to a client that has it already. */
  readonly isRead: boolean
  /** Whether `If-Match` is compared. */
  readonly compares: boolean
  /** Whether `If-Match` must be there. */
  readonly requires: boolean
}

type Models = Pick<ModelRegistry, 'models'>

/** Describes all routes of a plan; methods that are not to be documented are among them (`method.documented`). */
export function describeRoutes (
  plan: ModelPlan,
  registry: Models,
  conventions: Pick<Conventions, 'totalCount' | 'streaming' | 'idempotency'>
): DescribedRoute[] {
  return plan.routes.flatMap(({ method, verb: declared, verbs, path, url, status, errorStatus }) =>
    verbs.map(verb => {
      const described = describeArguments(method, path, verb, registry)
      const inBody = described.filter(argument => argument.in === 'form')
      const whole = described.find(argument => argument.in === 'body')
      return {
        method,
        verb,
        path: url,
        arguments: described.filter(argument => argument.in !== 'form' && argument.in !== 'body'),
        body: whole === undefined
          ? ownBody(method) ?? formBody(inBody, fileArguments(method.accepts, registry))
          : {
              required: whole.required,
              schema: whole.schema,
              ...rowForm(method, whole, registry),
              ...(takesPatches(method) ? { takesPatches: true as const } : {}),
              ...(takesLines(method) ? { takesLines: true as const } : {})
            },
        response: {
          ...describeResponse(method, status, registry),
          errorStatus,
          ownStatus: method.returns.some(({ http }) => http?.target === 'status'),
          ownAnswer: writesByItself(method) && ownSuccess(method) === undefined,
          totalCount:
            isCountable(method) && method.returns.some(({ type }) => Array.isArray(type)) && conventions.totalCount,
          rowTypes: streamingOf(method, conventions.streaming, registry.models) === undefined ? [] : rowTypes,
          state: describeState(method, verb)
        },
        ...keyOf(verb, idempotencyOf(method, declared, conventions.idempotency))
      }
    })
  )
}

function describeState (method: SharedMethod, verb: string): DescribedState | undefined {
  const row = rowMethodOf(method)
  if (row === undefined || (row.kind === 'head' && verb !== 'HEAD')) return undefined
  const { compiled } = row.Target
  const source = tagSourceOf(compiled)
  if (source === undefined) return undefined
  const isRead = row.kind === 'read' || row.kind === 'head'
  return {
    isTagged: isRead || (source === 'version' && row.kind !== 'delete'),
    isRead,
    compares: row.compares && (source === 'version' || row.id !== undefined),
    requires: row.compares && row.kind !== 'upsert' && compiled.settings.requireMatch === true
  }
}

function keyOf (verb: string, limits: IdempotencyLimits | undefined): Pick<DescribedRoute, 'idempotencyKey'> {
  if (limits === undefined || verb === 'GET' || verb === 'HEAD') return {}
  return { idempotencyKey: limits.required && (verb === 'POST' || verb === 'PATCH') ? 'required' : 'optional' }
}

function describeArguments (method: SharedMethod, path: string, verb: string, registry: Models): DescribedArgument[] {
  const names = pathNames(path)
  const described: DescribedArgument[] = []
  if (!method.isStatic) {
    described.push({ name: 'id', in: 'path', required: true, description: 'Model id', schema: { type: 'string' } })
  }
  for (const argument of method.accepts) {
    const source = sourceOf(argument)
    const place =
      source === 'formData'
        ? 'form'
        : (source ??
          (names.has(argument.arg)
            ? 'path'
            : verb === 'GET' || verb === 'HEAD' || verb === 'DELETE'
              ? 'query'
              : 'form'))
    if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'body' && place !== 'form') continue
    const model = argument.modelSchema === undefined ? undefined : registry.models[argument.modelSchema.model]
    described.push({
      name: argument.arg,
      in: place,
      required: argument.required === true || place === 'path',
      description: [argument.description ?? []].flat().join('\n') || undefined,
      schema: model === undefined || argument.modelSchema === undefined
        ? argumentSchema(resolveArgumentType(argument.type, registry), argument.jsonSchema)
        : modelSchemaOf(model.compiled, argument.modelSchema)
    })
  }
  return described
}

/** What a method says of a body that it reads itself. */
function ownBody ({ options: { requestBody } }: SharedMethod): DescribedBody | undefined {
  return requestBody === undefined ? undefined : { required: true, ...requestBody }
}

/** `maxLength` counts bytes, as OpenAPI has it of what is streamed. */
const binary = ({ maxSize }: FileArgument): JsonSchema => ({ type: 'string', format: 'binary', maxLength: maxSize })

function formBody (
  fields: readonly DescribedArgument[], files: ReturnType<typeof fileArguments>
): DescribedRoute['body'] {
  if (fields.length === 0) return undefined
  const schemaOf = ({ name, schema }: DescribedArgument): JsonSchema => {
    const file = files?.get(name)
    return file === undefined ? schema : file.isList ? { type: 'array', items: binary(file) } : binary(file)
  }
  const accept = acceptOf([...files?.values() ?? []])
  const required = fields.filter(field => field.required).map(field => field.name)
  return {
    required: required.length > 0,
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(field => [field.name, schemaOf(field)])),
      ...(required.length === 0 ? {} : { required })
    },
    ...(files === undefined ? {} : { type: 'multipart/form-data' }),
    ...(accept === undefined ? {} : { accept })
  }
}

/** A row with files may come as a form: its fields are the properties. */
function rowForm (method: SharedMethod, { schema }: DescribedArgument, registry: Models): Pick<DescribedBody, 'form'> {
  const files = [...fileArguments(method.accepts, registry)?.values() ?? []].filter(({ row }) => row !== undefined)
  if (files.length === 0) return {}
  const properties = { ...schema.properties as Record<string, JsonSchema> }
  for (const file of files) {
    const { description } = properties[file.name] as { description?: string }
    const said = description === undefined ? {} : { description }
    properties[file.name] = file.isList ? { type: 'array', items: binary(file), ...said } : { ...binary(file), ...said }
  }
  const accept = acceptOf(files)
  return { form: { schema: { ...schema, properties }, ...(accept === undefined ? {} : { accept }) } }
}

/** Media types by field, where not every type is taken. */
function acceptOf (files: readonly FileArgument[]): DescribedBody['accept'] {
  const limited = files.filter(file => file.accept.length > 0).map(file => [file.name, file.accept] as const)
  return limited.length === 0 ? undefined : Object.fromEntries(limited)
}

const writesByItself = ({ accepts }: SharedMethod): boolean =>
  accepts.some(argument => ['res', 'context'].includes(sourceOf(argument) as string))

/** The status of success that a method names itself. */
function ownSuccess ({ responses }: SharedMethod): number | undefined {
  return Object.keys(responses).map(Number).find(status => status >= 200 && status < 300)
}

function describeResponse (
  method: SharedMethod,
  status: number | undefined,
  registry: Models
): Pick<DescribedResponse, 'status' | 'schema'> {
  const { returns } = method
  const inBody = returns.filter(({ http }) => http?.target === undefined)
  const root = inBody.find(definition => definition.root === true)
  if (inBody.length === 0) {
    return { status: status ?? (writesByItself(method) ? ownSuccess(method) : undefined) ?? 204, schema: undefined }
  }
  const properties = (): JsonSchema =>
    Object.fromEntries(inBody.map(definition => [definition.arg ?? 'result', resultSchema(definition, registry)]))
  return {
    status: status ?? 200,
    schema: root === undefined ? { type: 'object', properties: properties() } : resultSchema(root, registry)
  }
}

function resultSchema ({ type, jsonSchema }: ReturnDefinition, registry: Models): JsonSchema {
  const resolved = resolveArgumentType(type, registry)
  if (resolved.kind === 'model') return resolved.Model.compiled.schemas.response as unknown as JsonSchema
  if (resolved.kind === 'array' && resolved.items.kind === 'model') {
    return { type: 'array', items: resolved.items.Model.compiled.schemas.response }
  }
  return argumentSchema(resolved, jsonSchema)
}
