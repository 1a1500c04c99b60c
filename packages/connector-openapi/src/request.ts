/** Requests of operations: parameters in their places, bodies of their types. */
import { Readable } from 'node:stream'
import { invalidPathValue, type RestRequest } from '@fastback/connector-rest/service'
import { invalidArgument } from './errors.js'
import { entriesOf, objectOf } from './json.js'
import { bodyArgument, isJson, isText, success, type ApiOperation, type Body, type Parameter } from './operations.js'
import type { Credential } from './security.js'
import { pairs, styleOf, write } from './styles.js'

/** Values of arguments by name. */
export type Values = Readonly<Record<string, unknown>>

export interface Target {
  /** Without a slash at its end. */
  readonly base: string
  readonly credentials: readonly Credential[]
}

/**
 * ```js
 * await requestOf(getPet, { petId: 7 }, { base: 'https://api.example', credentials: [] }) // uri: …/pets/7
 * ```
 * @throws RequestError 400 INVALID_ARGUMENT, INVALID_PATH_VALUE
 */
export async function requestOf (operation: ApiOperation, values: Values, target: Target): Promise<RestRequest> {
  const given = (place: string): Array<[Parameter, unknown]> => operation.parameters
    .filter(parameter => parameter.style.place === place && isSaid(values[parameter.argument]))
    .map(parameter => [parameter, values[parameter.argument]])
  const added = (place: string): Credential[] => target.credentials.filter(each => each.place === place)
  const encoded = ({ name, value }: Credential): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const query = [...given('query').flatMap(([{ style }, value]) => pairs(value, style)), ...added('query').map(encoded)]
  const cookies = [...given('cookie').flatMap(([{ style }, value]) => pairs(value, style)), ...added('cookie').map(encoded)]
  const accepted = success(operation)?.types ?? []
  const { type, ...body } = await payload(operation.body, values[bodyArgument])
  return {
    method: operation.method,
    uri: `${target.base}${pathOf(operation, values)}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    json: true,
    headers: {
      ...accepted.length === 0 ? {} : { accept: accepted.join(', ') },
      ...Object.fromEntries(given('header').map(([{ style }, value]) => [style.name.toLowerCase(), write(value, style)])),
      ...cookies.length === 0 ? {} : { cookie: cookies.join('; ') },
      ...Object.fromEntries(added('header').map(({ name, value }) => [name.toLowerCase(), value])),
      ...type === undefined ? {} : { 'content-type': type }
    },
    ...body
  }
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null

/** A value is one part of the path, and none that leads elsewhere (SC-S2). */
function pathOf ({ path, parameters }: ApiOperation, values: Values): string {
  return path.split('/').map(segment => {
    if (!segment.includes('{')) return segment
    const written = segment.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
      const parameter = parameters.find(({ style }) => style.place === 'path' && style.name === name)
      const value = values[parameter?.argument ?? name]
      if (!isSaid(value)) throw invalidArgument(name, 'is needed')
      return parameter === undefined ? encodeURIComponent(String(value)) : write(value, parameter.style)
    })
    if (written === '' || written === '.' || written === '..') throw invalidPathValue()
    return written
  }).join('/')
}

interface Payload {
  readonly body?: unknown
  readonly form?: string
  /** Where it is not the usual one. */
  readonly type?: string
}

async function payload (body: Body | undefined, value: unknown): Promise<Payload> {
  if (body === undefined || value === undefined) return {}
  const { type } = body
  if (isJson(type)) return { body: value, type }
  if (/^application\/x-www-form-urlencoded/i.test(type)) return { form: form(body, value) }
  if (/^multipart\/form-data/i.test(type)) return await multipart(value)
  if (isText(type)) return { body: Buffer.from(String(value)), type }
  if (typeof value === 'string') return { body: Buffer.from(value), type }
  if (value instanceof Uint8Array || value instanceof Readable) return { body: value, type }
  throw invalidArgument(bodyArgument, 'must be a text, a Buffer or a stream')
}

function form ({ encoding }: Body, value: unknown): string {
  return fields(value).flatMap(([name, each]) => pairs(each, styleOf(objectOf(encoding[name]), name, 'query'))).join('&')
}

function fields (value: unknown): Array<[string, unknown]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidArgument(bodyArgument, 'must be an object')
  return entriesOf(value).filter(([, each]) => isSaid(each))
}

async function multipart (value: unknown): Promise<Payload> {
  const data = new FormData()
  for (const [name, given] of fields(value)) {
    for (const each of [given].flat()) {
      if (each instanceof Uint8Array) data.append(name, new Blob([each]), name)
      else data.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
    }
  }
  const made = new Response(data)
  return { body: Buffer.from(await made.arrayBuffer()), type: made.headers.get('content-type') ?? 'multipart/form-data' }
}
