/** Descriptions of APIs as `fastback import-api` reads them: Swagger 2.0, OpenAPI 3.0 and 3.1, JSON and YAML. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ApiDescriptionError } from './errors.js'

type Json = Readonly<Record<string, unknown>>

export interface ApiParameter {
  readonly name: string
  /** As LoopBack calls it: `path`, `query`, `header`, `body`, `form`. */
  readonly source: string
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: Json
}

export interface ApiOperation {
  readonly tag: string | undefined
  /** Made of verb and path where the description has none. */
  readonly id: string
  readonly verb: string
  /** With `:name` for parameters. */
  readonly path: string
  readonly description: string | undefined
  readonly parameters: readonly ApiParameter[]
  /** Of the first response of success; undefined where it has no content. */
  readonly result: Json | undefined
}

export interface ApiDescription {
  /** Schemas of objects by name. */
  readonly models: ReadonlyMap<string, Json>
  readonly operations: readonly ApiOperation[]
  /** What is behind references, of references too; an empty schema for those that lead out of the document. */
  resolve (schema: unknown): Json
}

/** Larger ones are no descriptions: 20 MiB. */
const maxBytes = 20 * 1024 * 1024
/** How long an address may take to answer, in milliseconds. */
const timeout = 30_000
const verbs = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']

/**
 * Reads a description.
 *
 * ```js
 * const { models, operations } = await readApi('petstore.yaml')
 * ```
 * @param source a file, or an address (`https://…`)
 * @throws FBK_CLI_API_DESCRIPTION
 */
export async function readApi (source: string): Promise<ApiDescription> {
  const document = await parsed(await textOf(source))
  const isSwagger = document.swagger === '2.0'
  if (!isSwagger && !/^3\.[01]/.test(String(document.openapi))) {
    throw new ApiDescriptionError('it is neither OpenAPI 3.0 or 3.1 nor Swagger 2.0')
  }
  const resolve = resolver(document)
  const schemas = recordOf(isSwagger ? document.definitions : recordOf(document.components).schemas)
  return {
    models: new Map(Object.entries(schemas).map(([name, schema]) => [name, recordOf(schema)] as const)
      .filter(([, schema]) => isObject(resolve(schema)))),
    operations: Object.entries(recordOf(document.paths))
      .flatMap(([path, item]) => operationsOf(path, resolve(item), resolve)),
    resolve
  }
}

const isObject = ({ type, properties, allOf }: Json): boolean =>
  [type].flat().includes('object') || (type === undefined && (properties !== undefined || allOf !== undefined))

/** Whether a description is had over the network. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

/**
 * The text of a description.
 * @throws FBK_CLI_API_DESCRIPTION
 */
export async function textOf (source: string): Promise<string> {
  let bytes = 0
  const chunks: Buffer[] = []
  try {
    for await (const chunk of await opened(source)) {
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) throw new ApiDescriptionError(`it is larger than ${maxBytes} bytes`)
      chunks.push(Buffer.from(chunk as Uint8Array))
    }
  } catch (error) {
    if (error instanceof ApiDescriptionError) throw error
    throw new ApiDescriptionError(`${source} cannot be read (${(error as Error).message})`, { cause: error })
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function opened (source: string): Promise<Readable> {
  if (!isAddress(source)) return createReadStream(source)
  const answer = await fetch(source, { signal: AbortSignal.timeout(timeout) })
  if (!answer.ok || answer.body === null) throw new ApiDescriptionError(`${source} answers ${answer.status}`)
  return Readable.fromWeb(answer.body)
}

async function parsed (text: string): Promise<Json> {
  let value: unknown
  try {
    value = /^\s*\{/.test(text) ? JSON.parse(text) : (await import('yaml')).parse(text)
  } catch (error) {
    throw new ApiDescriptionError(`it is neither JSON nor YAML (${(error as Error).message.split('\n')[0] ?? ''})`, { cause: error })
  }
  if (typeof value !== 'object' || value === null) throw new ApiDescriptionError('it is no object')
  return value as Json
}

const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Json : {}

/** `#/components/schemas/Pet` in the document. */
const resolver = (document: Json) => (schema: unknown): Json => {
  let value = recordOf(schema)
  for (let steps = 0; typeof value.$ref === 'string'; steps++) {
    const { $ref } = value
    if (!$ref.startsWith('#/') || steps > 20) return {}
    value = recordOf($ref.slice(2).split('/').map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((held, key) => Object.hasOwn(recordOf(held), key) ? recordOf(held)[key] : undefined, document))
  }
  return value
}

function operationsOf (path: string, item: Json, resolve: ApiDescription['resolve']): ApiOperation[] {
  return verbs.filter(verb => item[verb] !== undefined).map(verb => {
    const operation = recordOf(item[verb])
    const { operationId, tags, summary, description, requestBody, responses } = operation
    const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)]
      .map(each => parameterOf(resolve(each)))
    const named = new Map(parameters.map(each => [`${each.source} ${each.name}`, each]))
    const said = [summary, description].find(each => typeof each === 'string')
    return {
      tag: typeof listOf(tags)[0] === 'string' ? listOf(tags)[0] as string : undefined,
      id: typeof operationId === 'string' ? operationId : `${verb} ${path}`,
      verb,
      path: path.replace(/\{([^{}]+)\}/g, (_, name: string) => `:${identifier(name)}`),
      description: typeof said === 'string' ? said : undefined,
      parameters: [...named.values(), ...bodyOf(resolve(requestBody), resolve)],
      result: resultOf(recordOf(responses), resolve)
    }
  })
}

const listOf = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : []

const identifier = (name: string): string => name.replace(/[^\w]+(\w?)/g, (_, letter: string) => letter.toUpperCase())

function parameterOf ({ name, in: place, required, description, schema, ...own }: Json): ApiParameter {
  const source = place === 'formData' ? 'form' : String(place)
  return {
    name: source === 'path' ? identifier(String(name)) : String(name),
    source,
    required: required === true,
    description: typeof description === 'string' ? description : undefined,
    schema: schema === undefined ? own : recordOf(schema)
  }
}

/** The body of OpenAPI 3: one argument, or one for each field of a form. */
function bodyOf ({ content, required, description }: Json, resolve: ApiDescription['resolve']): ApiParameter[] {
  const [type, media] = Object.entries(recordOf(content))[0] ?? []
  if (type === undefined) return []
  const schema = recordOf(recordOf(media).schema)
  if (!/form/.test(type)) {
    const said = typeof description === 'string' ? description : undefined
    return [{ name: 'body', source: 'body', required: required === true, description: said, schema }]
  }
  const { properties, required: needed } = resolve(schema)
  return Object.entries(recordOf(properties)).map(([name, field]) => ({
    name, source: 'form', required: listOf(needed).includes(name), description: undefined, schema: recordOf(field)
  }))
}

function resultOf (responses: Json, resolve: ApiDescription['resolve']): Json | undefined {
  const status = Object.keys(responses).sort().find(each => /^2/.test(each)) ?? 'default'
  const { schema, content } = resolve(responses[status])
  const found = schema ?? recordOf(Object.values(recordOf(content))[0]).schema
  return found === undefined ? undefined : recordOf(found)
}
