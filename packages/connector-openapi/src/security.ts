/** Security schemes with the credentials of the settings. */
import { CredentialsError } from './errors.js'
import { entriesOf, objectOf, textOf, type Json } from './json.js'
import type { ApiOperation } from './operations.js'
import type { References } from './references.js'

/** What a credential adds to a request. */
export interface Credential {
  readonly place: 'header' | 'query' | 'cookie'
  readonly name: string
  readonly value: string
}

/** Credentials by the names of their schemes. */
export type Credentials = ReadonlyMap<string, Credential>

/** @throws FBK_OPENAPI_CREDENTIALS */
export function credentialsOf (given: Json, references: References, dataSource: string): Credentials {
  const schemes = objectOf(objectOf(references.document.components).securitySchemes)
  return new Map(entriesOf(given).map(([name, value]) => {
    if (!Object.hasOwn(schemes, name)) {
      throw new CredentialsError(dataSource, `"credentials.${name}" is for no security scheme of the description; it has: ${Object.keys(schemes).join(', ') || 'none'}.`)
    }
    const credential = credentialOf(references.resolve(schemes[name]), value)
    if (credential === undefined) throw new CredentialsError(dataSource, `"credentials.${name}" is not what its scheme needs.`)
    return [name, credential]
  }))
}

const authorization = (value: string): Credential => ({ place: 'header', name: 'authorization', value })

function credentialOf (scheme: Json, given: unknown): Credential | undefined {
  const { token, username, password } = objectOf(given)
  const secret = textOf(given) ?? textOf(token)
  switch (scheme.type) {
    case 'apiKey': {
      const { in: place, name } = scheme
      const isKnown = place === 'header' || place === 'query' || place === 'cookie'
      return isKnown && typeof name === 'string' && secret !== undefined ? { place, name, value: secret } : undefined
    }
    case 'http':
      if (String(scheme.scheme).toLowerCase() === 'basic') {
        if (typeof username !== 'string') return undefined
        return authorization(`Basic ${Buffer.from(`${username}:${textOf(password) ?? ''}`).toString('base64')}`)
      }
      return secret === undefined ? undefined : authorization(`${bearer(scheme)} ${secret}`)
    case 'oauth2':
    case 'openIdConnect': return secret === undefined ? undefined : authorization(`Bearer ${secret}`)
    default: return undefined
  }
}

const bearer = ({ scheme }: Json): string =>
  String(scheme).toLowerCase() === 'bearer' ? 'Bearer' : String(scheme)

/** What an operation is called with; undefined where it needs credentials that nobody gave. */
export function credentialsFor ({ security }: ApiOperation, known: Credentials): readonly Credential[] | undefined {
  if (security === undefined) return []
  const alternative = security.find(names => names.every(name => known.has(name)))
  return alternative?.flatMap(name => known.get(name) ?? [])
}
