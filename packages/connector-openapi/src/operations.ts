/** The operations of a document. */
import { entriesOf, listOf, objectOf, textOf, type Json } from './json.js'
import type { References } from './references.js'
import { styleOf, type ParameterLocation, type Style } from './styles.js'

export interface Parameter {
  /** Of the argument: the parameter's, behind its place where another one has that. */
  readonly argument: string
  readonly style: Style
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: Json
}

export interface Body {
  readonly type: string
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: Json
  /** Styles of the fields of a form. */
  readonly encoding: Json
}

export interface DescribedResponse {
  readonly description: string | undefined
  /** Its media types. */
  readonly types: readonly string[]
  /** Of JSON; undefined where nothing is said of it. */
  readonly schema: Json | undefined
  /** Whether it is neither JSON nor text. */
  readonly isBinary: boolean
}

export interface ApiOperation {
  readonly id: string
  readonly tags: readonly string[]
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly description: string | undefined
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  /** By status: `200`, `2XX`, `default`. */
  readonly answers: ReadonlyMap<string, DescribedResponse>
  /** One of these lists of schemes is needed; undefined where nothing is. */
  readonly security: ReadonlyArray<readonly string[]> | undefined
  /** Of its own, or of its path. */
  readonly servers: readonly Json[]
}

const verbs = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const
const places: ReadonlySet<string> = new Set<ParameterLocation>(['path', 'query', 'header', 'cookie'])
/** Headers that are said elsewhere in a document (OpenAPI 3, "Parameter Object"). */
const saidElsewhere = new Set(['accept', 'content-type', 'authorization'])

export const isJson = (type: string): boolean => /^application\/(?:[^;]*\+)?json(?:;|$)/i.test(type)
export const isText = (type: string): boolean => /^text\//i.test(type) || /[/+]xml(?:;|$)/i.test(type)

/**
 * ```js
 * operationsOf(references).map(({ id }) => id) // ['listPets', 'createPet']
 * ```
 * @throws Error for references that lead nowhere
 */
export function operationsOf (references: References): ApiOperation[] {
  const { paths, security } = references.document
  return entriesOf(paths).flatMap(([path, given]) => {
    const item = references.resolve(given)
    return verbs.filter(verb => item[verb] !== undefined).map(verb => operation(verb, path, item, security, references))
  })
}

function operation (verb: string, path: string, item: Json, security: unknown, references: References): ApiOperation {
  const own = objectOf(item[verb])
  const said = [own.description, own.summary].map(textOf).find(each => each !== undefined)
  return {
    id: textOf(own['x-operation-name']) ?? textOf(own.operationId) ?? idOf(verb, path),
    tags: listOf(own.tags).filter(each => typeof each === 'string'),
    method: verb.toUpperCase(),
    path,
    description: said,
    parameters: parametersOf([...listOf(item.parameters), ...listOf(own.parameters)], references),
    body: bodyOf(own.requestBody, references),
    answers: new Map(
      entriesOf(own.responses).map(([status, each]) => [status.toUpperCase(), answerOf(each, references)])
    ),
    security: securityOf(own.security ?? security),
    servers: [own.servers, item.servers].map(listOf).find(each => each.length > 0)?.map(objectOf) ?? []
  }
}

const idOf = (verb: string, path: string): string =>
  verb + path.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')

function parametersOf (given: readonly unknown[], references: References): Parameter[] {
  const named = new Map<string, Json>()
  for (const each of given) {
    const parameter = references.resolve(each)
    const { in: place, name } = parameter
    if (!places.has(String(place)) || typeof name !== 'string') continue
    if (place === 'header' && saidElsewhere.has(name.toLowerCase())) continue
    named.set(`${String(place)} ${name}`, parameter)
  }
  const taken = new Set<string>([bodyArgument])
  return [...named.values()].map(parameter => {
    const place = parameter.in as ParameterLocation
    const name = parameter.name as string
    const argument = taken.has(name) ? `${place}_${name}` : name
    taken.add(argument)
    const [content] = entriesOf(parameter.content).map(([, media]) => objectOf(media))
    return {
      argument,
      style: styleOf(parameter, name, place),
      required: place === 'path' || parameter.required === true,
      description: textOf(parameter.description),
      schema: references.schema(content?.schema ?? parameter.schema ?? {})
    }
  })
}

/** The argument that is the body. */
export const bodyArgument = 'requestBody'

/** How a body is sent where it may have several types. */
const preferred: ReadonlyArray<(type: string) => boolean> = [
  isJson, type => /^application\/x-www-form-urlencoded/i.test(type), type => /^multipart\/form-data/i.test(type), isText
]

function bodyOf (given: unknown, references: References): Body | undefined {
  if (given === undefined) return undefined
  const { content, required, description } = references.resolve(given)
  const types = entriesOf(content)
  const chosen = preferred.map(test => types.find(([type]) => test(type))).find(each => each !== undefined) ?? types[0]
  if (chosen === undefined) return undefined
  const [type, media] = chosen
  return {
    // `application/*` says what it may be, and no type of its own.
    type: type.includes('*') ? 'application/octet-stream' : type,
    required: required === true,
    description: textOf(description),
    schema: references.schema(objectOf(media).schema ?? {}),
    encoding: objectOf(objectOf(media).encoding)
  }
}

function answerOf (given: unknown, references: References): DescribedResponse {
  const { description, content } = references.resolve(given)
  const types = entriesOf(content)
  const json = types.find(([type]) => isJson(type))?.[1] ?? types.find(([type]) => type === '*/*')?.[1]
  const schema = objectOf(json).schema
  return {
    description: textOf(description),
    types: types.map(([type]) => type),
    schema: schema === undefined ? undefined : references.schema(schema),
    isBinary: types.length > 0 && json === undefined && !types.some(([type]) => isText(type))
  }
}

function securityOf (given: unknown): ApiOperation['security'] {
  const alternatives = listOf(given).map(each => Object.keys(objectOf(each)))
  return alternatives.length === 0 || alternatives.some(each => each.length === 0) ? undefined : alternatives
}

/** What is said of a response of a status. */
export const describedResponse = ({ answers }: ApiOperation, status: number): DescribedResponse | undefined =>
  answers.get(String(status)) ?? answers.get(`${String(status)[0] ?? ''}XX`) ?? answers.get('DEFAULT')

/** What is said of success. */
export function success ({ answers }: ApiOperation): DescribedResponse | undefined {
  return [...answers].find(([status]) => status.startsWith('2'))?.[1] ?? answers.get('DEFAULT')
}
