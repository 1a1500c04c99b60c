/**
 * The checks of WebAuthn Level 3, sections 7.1 and 7.2, by `@simplewebauthn/server`, which is loaded when the first
 * response is judged; and those that it leaves to its callers.
 */
import type { RelyingParty } from './settings.js'

/** EdDSA, ES256, RS256: what is offered, and nothing else is taken. */
export const algorithms = [-8, -7, -257] as const

/** Characters of a response: ten times what a large one has. */
const largestPart = 65_536

/** A passkey as it is stored. */
export interface Credential {
  /** The id that the authenticator gave it, base64url. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly transports: readonly string[]
}

/** What a new passkey is. */
export interface NewCredential extends Credential {
  readonly counter: number
  readonly backedUp: boolean
}

/** What a browser sends, as far as it was looked at: texts of base64url. */
export interface Response {
  readonly id: string
  readonly challenge: string
  readonly userHandle: string | undefined
  readonly json: Readonly<Record<string, unknown>>
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isBase64url = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= largestPart && /^[A-Za-z0-9_-]+$/.test(value)

/**
 * What a response says before anything in it is believed: which credential, which challenge. Undefined for what is no
 * response, and for one that was made within a page of somebody else (`crossOrigin`, OI-248).
 *
 * ```js
 * readResponse({ id: 'AQ', rawId: 'AQ', type: 'public-key', response: { clientDataJSON: 'e30' } }) // undefined
 * ```
 */
export function readResponse (given: unknown): Response | undefined {
  if (!isRecord(given) || !isRecord(given.response)) return undefined
  const { id, rawId, response } = given
  const { clientDataJSON, userHandle } = response
  if (!isBase64url(id) || id !== rawId || id.length > 1400 || !isBase64url(clientDataJSON)) return undefined
  if (userHandle !== undefined && userHandle !== null && !isBase64url(userHandle)) return undefined
  for (const part of ['attestationObject', 'authenticatorData', 'signature']) {
    if (response[part] !== undefined && !isBase64url(response[part])) return undefined
  }
  const client = parsed(Buffer.from(clientDataJSON, 'base64url').toString())
  if (!isRecord(client) || typeof client.challenge !== 'string') return undefined
  if (client.crossOrigin === true || client.topOrigin !== undefined) return undefined
  return { id, challenge: client.challenge, userHandle: userHandle ?? undefined, json: given }
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The origin that a response names: which origins are ours is a function, where the library takes a list. */
function ownOrigin ({ json }: Response, { isOwn }: RelyingParty): string | undefined {
  const { clientDataJSON } = json.response as { clientDataJSON: string }
  const { origin } = parsed(Buffer.from(clientDataJSON, 'base64url').toString()) as { origin?: unknown }
  return typeof origin === 'string' && isOwn(origin) ? origin : undefined
}

/**
 * Judges the response to creation options (OI-241). Attestation is not asked for, and statements with certificates are
 * refused: they would be looked up at addresses that the client names.
 * @returns undefined where anything is wrong with it
 */
export async function judgeCreation (
  response: Response, challenge: string, party: RelyingParty
): Promise<NewCredential | undefined> {
  const origin = ownOrigin(response, party)
  if (origin === undefined) return undefined
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')
  ])
  try {
    const { attestationObject, transports } = response.json.response as Record<string, unknown>
    if (typeof attestationObject !== 'string') return undefined
    const attested = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const format = attested.get('fmt')
    if (format !== 'none' && (format !== 'packed' || attested.get('attStmt').get('x5c') !== undefined)) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response.json as never,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms]
    })
    if (!verified || registrationInfo === undefined) return undefined
    const { credential: { id, publicKey, counter }, credentialBackedUp } = registrationInfo
    if (id !== response.id) return undefined
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      transports: knownTransports(transports),
      counter,
      backedUp: credentialBackedUp
    }
  } catch {
    // The library says what is wrong by throwing; nobody else is to know.
    return undefined
  }
}

const transportNames: ReadonlySet<unknown> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
const knownTransports = (given: unknown): string[] =>
  Array.isArray(given) ? [...new Set(given as unknown[])].filter(each => transportNames.has(each)) as string[] : []

/**
 * Judges the response to request options (OI-244), but for its counter: that is looked at once the signature is known
 * to be right, so that nobody without the key can make a passkey look copied.
 * @returns the counter; undefined where anything is wrong
 */
export async function judgeAssertion (
  response: Response, challenge: string, party: RelyingParty, credential: Credential
): Promise<{ readonly counter: number, readonly backedUp: boolean } | undefined> {
  const origin = ownOrigin(response, party)
  if (origin === undefined || response.id !== credential.credentialId) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response.json as never,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: credential.credentialId,
        publicKey: new Uint8Array(Buffer.from(credential.publicKey, 'base64url')),
        counter: 0
      }
    })
    if (!verified || !authenticationInfo.userVerified) return undefined
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}
