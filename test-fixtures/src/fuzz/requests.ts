/** Random requests to the operations of an API. */
import fc from 'fast-check'
import {
  badCredential,
  breaksFraming,
  credential,
  hostileTree,
  pathId,
  pathSpelling,
  payloadOf,
  SchemaValues,
  strayHeaders,
  strayQuery,
  written,
  writing,
  type Credential,
  type HeaderList,
  type JsonSchema,
  type Payload,
  type Vocabulary
} from '../hostile/index.js'
import type { Operation, Parameter } from './routes.js'
import type { WireRequest } from './wire-request.js'

export interface World {
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** How many accounts there are to act as. */
  readonly accounts: number
  /** The one of them with every role. */
  readonly mighty: number
  /** Names and ids by model. */
  readonly vocabularies: Readonly<Record<string, Vocabulary>>
}

/** Requests that follow one another, or go off at the same moment. */
export interface Session {
  readonly together: boolean
  readonly requests: readonly WireRequest[]
}

export const sessionsOf = (world: World, length = 40): fc.Arbitrary<Session> => {
  const one = requestsOf(world)
  return fc.oneof(
    {
      arbitrary: fc.record({
        together: fc.constant(false),
        requests: fc.array(one, { minLength: 1, maxLength: length, size: 'max' })
      }),
      weight: 9
    },
    {
      arbitrary: fc.record({
        together: fc.constant(true),
        requests: fc.array(one, { minLength: 2, maxLength: 12, size: 'max' })
      }),
      weight: 1
    },
    // The same twice at once: what one connection after the other never shows.
    { arbitrary: one.map(request => ({ together: true, requests: [request, request, request] })), weight: 1 }
  )
}

/** Requests to every operation, each as often as any other. */
export function requestsOf (world: World): fc.Arbitrary<WireRequest> {
  const arbitraries: Array<fc.Arbitrary<WireRequest> | undefined> = world.operations.map(() => undefined)
  const schemas = new Map<string, SchemaValues>()
  const schemasFor = (model: string): SchemaValues => {
    let known = schemas.get(model)
    if (known === undefined) {
      schemas.set(model, (known = new SchemaValues(world.schemas, world.vocabularies[model] ?? { names: [], ids: [] })))
    }
    return known
  }
  return fc
    .noShrink(fc.nat(world.operations.length - 1))
    .chain(
      index =>
        (arbitraries[index] ??= requestOf(
          world.operations[index] as Operation,
          schemasFor((world.operations[index] as Operation).model),
          world
        ))
    )
}

const rarely = <T>(arbitrary: fc.Arbitrary<T>, oneOf: number): fc.Arbitrary<T | null> =>
  fc.oneof({ arbitrary: fc.constant(null), weight: oneOf - 1 }, { arbitrary, weight: 1 })
const oddVerbs = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'PROPFIND',
  'PURGE',
  'M-SEARCH',
  'QUERY',
  'get',
  'X',
  'CONNECT'
] as const

type Value = readonly [how: string, value: unknown]

interface Parts {
  readonly ids: readonly string[]
  readonly values: ReadonlyArray<Value | null>
  readonly spelling: (path: string) => string
  readonly stray: string | null
  readonly payload: Payload | null
  readonly headers: HeaderList | null
  readonly credential: Credential | null
  readonly bad: HeaderList | null
  readonly verb: string | null
}

function requestOf (
  operation: Operation,
  schemas: SchemaValues,
  { accounts, mighty }: World
): fc.Arbitrary<WireRequest> {
  const { vocabulary } = schemas
  const placeholders = [...operation.path.matchAll(/\{(\w+)\}/g)].length
  const parameters = operation.parameters.filter(each => each.in !== 'path')
  const valueOf = (parameter: Parameter): fc.Arbitrary<Value | null> => {
    const value = fc.tuple(writing, schemas.of(parameter.schema))
    return fc.oneof(
      { arbitrary: fc.constant(null), weight: 1 },
      { arbitrary: value, weight: parameter.required === true ? 12 : parameters.length > 3 ? 1 : 2 }
    )
  }
  const payload: fc.Arbitrary<Payload | null> =
    operation.body === undefined
      ? rarely(payloadOf(hostileTree(vocabulary)), ['GET', 'HEAD', 'DELETE'].includes(operation.verb) ? 40 : 4)
      : fc.oneof(
        { arbitrary: payloadOf(schemas.of(operation.body)), weight: 24 },
        { arbitrary: fc.constant(null), weight: 1 }
      )
  const parts: fc.Arbitrary<Parts> = fc.record({
    ids: fc.array(pathId(vocabulary), { minLength: placeholders, maxLength: placeholders, size: 'max' }),
    values: fc.tuple(...parameters.map(valueOf)),
    spelling: pathSpelling,
    stray: rarely(strayQuery, 25),
    payload,
    headers: rarely(strayHeaders, 8),
    credential:
      accounts === 0
        ? fc.constant(null)
        : fc.oneof({ arbitrary: fc.constant(null), weight: 1 }, { arbitrary: credential(accounts, mighty), weight: 3 }),
    bad: rarely(badCredential, 25),
    verb: rarely(fc.constantFrom(...oddVerbs), 50)
  })
  return parts.map(each => assembled(operation, parameters, each))
}

function assembled (
  operation: Operation,
  parameters: readonly Parameter[],
  { ids, values, spelling, stray, payload, headers, credential, bad, verb }: Parts
): WireRequest {
  let next = 0
  const path = spelling(operation.path.replaceAll(/\{\w+\}/g, () => ids[next++] as string))
  const given = values.flatMap((value, index) =>
    value === null ? [] : [[parameters[index] as Parameter, value] as const]
  )
  const query = given
    .filter(([parameter]) => parameter.in === 'query')
    .flatMap(([parameter, [how, value]]) => written(how, parameter.name, value))
  const inHeaders = given
    .filter(([parameter]) => parameter.in === 'header')
    .map(([parameter, [, value]]) => [parameter.name.toLowerCase(), String(value).replaceAll(/[\r\n]/g, ' ')] as const)
  const token = credential === null ? { headers: [], query: [] } : carried(credential)
  if (stray !== null) query.push(stray)
  query.push(...token.query)
  const all = merged([...inHeaders, ...token.headers, ...(bad ?? []), ...(headers ?? []), ...(payload?.headers ?? [])])
  return {
    operation: operation.id,
    verb: verb ?? operation.verb,
    // What ends a request line ends it.
    target:
      (path + (query.length === 0 ? '' : (path.includes('?') ? '&' : '?') + query.join('&'))).replaceAll(
        /[ \r\n]/g,
        '+'
      ) || '/',
    headers: all,
    ...(payload === null ? {} : { body: payload.bytes, ...(payload.chunked === true ? { chunked: true } : {}) }),
    ...(payload?.broken === true || breaksFraming(all) ? { broken: true } : {})
  }
}

/** One `accept`, one `content-type` …: of what must be single, the first. */
function merged (headers: HeaderList): HeaderList {
  const seen = new Set<string>()
  return headers.filter(
    ([name]) =>
      !['content-type', 'content-encoding', 'host', 'accept'].includes(name) || (!seen.has(name) && seen.add(name))
  )
}

function carried ({ account, carrier }: Credential): { headers: HeaderList, query: string[] } {
  switch (carrier) {
    case 'header': return { headers: [['x-access-token', `{{token:${account}}}`]], query: [] }
    case 'authorization': return { headers: [['authorization', `{{token:${account}}}`]], query: [] }
    case 'bearer': return { headers: [['authorization', `Bearer {{base64:${account}}}`]], query: [] }
    case 'basic': return { headers: [['authorization', `Basic {{base64:${account}}}`]], query: [] }
    case 'cookie': return { headers: [['cookie', `access_token={{token:${account}}}`]], query: [] }
    case 'query': return { headers: [], query: [`access_token={{token:${account}}}`] }
  }
}
