/** Tells clients with each response, and operators in the metrics, that what was used goes away. */
import type { ModelClass, ModelRegistry, SharedMethod } from '@fastback/core'
import { propertyDeprecations, type Deprecation } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { joinHeader } from '../handlers/join-header.js'
import { countDeprecated } from './deprecated-calls.js'
import { namesInBody, namesInQuery } from './used-names.js'

/** Runs before the handler, when access has been decided. */
export type BeforeHandler = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

type Headers = ReadonlyArray<readonly [name: string, value: string]>

/**
 * What a route says of what is deprecated: its method, its model, properties that a request writes or names in a
 * filter. Undefined where nothing is.
 * @param row the model whose rows the method takes and gives
 */
export function deprecationOf (
  method: SharedMethod, row: ModelClass | undefined, registry: ModelRegistry
): BeforeHandler | undefined {
  const name = `${method.modelName}.${method.fullName}`
  const ofMethod = method.deprecation === undefined ? undefined : headersOf(method.deprecation)
  const properties = row === undefined ? [] : propertyDeprecations(row.definition, row.compiled.properties)
  const ofProperties = new Map([...properties].map(([property, each]) => [property, headersOf(each)] as const))
  if (ofMethod === undefined && ofProperties.size === 0) return undefined
  return (request, reply, done) => {
    const client = clientOf(request)
    if (ofMethod !== undefined) {
      countDeprecated(registry, name, '', client)
      say(reply, ofMethod)
    }
    for (const property of usedOf(ofProperties, request)) {
      countDeprecated(registry, name, property, client)
      // The method's dates are those of all that it does.
      if (ofMethod === undefined) say(reply, ofProperties.get(property) as Headers)
    }
    done()
  }
}

function * usedOf (deprecated: ReadonlyMap<string, Headers>, { body, query }: FastifyRequest): Generator<string> {
  if (deprecated.size === 0) return
  const used = new Set([...namesInBody(body), ...namesInQuery(query)])
  for (const property of deprecated.keys()) if (used.has(property)) yield property
}

/** Of several properties the first to be deprecated, and the first to go, are told. */
function say (reply: FastifyReply, headers: Headers): void {
  for (const [name, value] of headers) {
    if (name === 'link') joinHeader(reply, name, [value])
    else if (!reply.hasHeader(name)) reply.header(name, value)
  }
}

/** `Deprecation` is a date of structured fields (RFC 9745, 2.1), `Sunset` one of HTTP (RFC 8594, 3). */
function headersOf ({ since, sunset, link }: Deprecation): Headers {
  const types = link === undefined ? [] : ['deprecation', ...sunset === undefined ? [] : ['sunset']]
  const links = types.map(type => `<${encodeURI(decodedURI(link as string))}>; rel="${type}"`)
  return [
    ...since === undefined ? [] : [['deprecation', `@${Math.floor(since / 1000)}`] as const],
    ...sunset === undefined ? [] : [['sunset', new Date(sunset).toUTCString()] as const],
    ...links.map(each => ['link', each] as const)
  ]
}

/** What is encoded already stays so. */
function decodedURI (link: string): string {
  try {
    return decodeURI(link)
  } catch {
    return link
  }
}

/** Whose call it was, as metrics tell it: an application that a token was given to; of users none is named. */
function clientOf (request: FastifyRequest): string {
  const { accessToken } = request as { accessToken?: { appId?: unknown, userId?: unknown } | null }
  const { appId, userId } = accessToken ?? {}
  if (appId !== undefined && appId !== null) return String(appId)
  return userId === undefined || userId === null ? 'anonymous' : 'user'
}
