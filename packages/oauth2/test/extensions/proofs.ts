/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Keys and their DPoP proofs, made by hand: openid-client would not make those that must be refused. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, SignJWT, type JWK } from 'jose'
import type { LightMyRequestResponse } from 'fastify'
import { asWeb, callback, get, origin, token, verifier, Browser, request, type Server } from '../server.js'

export interface ProofKey {
  readonly privateKey: KeyObject
  readonly jwk: JWK
  readonly jkt: string
}

export async function proofKey (): Promise<ProofKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' }) as JWK
  return { privateKey, jwk, jkt: await calculateJwkThumbprint(jwk) }
}

export const athOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
export const tokenUrl = `${origin}/oauth/token`
export const whoUrl = `${origin}/api/Notes/who`

export interface ProofParts {
  readonly claims?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  /** Another key than the one in the header. */
  readonly signer?: KeyObject
}

/** A proof for the token endpoint, or what the parts say. */
export async function proof (
  { privateKey, jwk }: ProofKey, { claims = {}, header = {}, signer = privateKey }: ProofParts = {}
): Promise<string> {
  const all = { jti: verifier(), htm: 'POST', htu: tokenUrl, iat: Math.floor(Date.now() / 1000), ...claims }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const protectedHeader = Object.entries({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
  return await new SignJWT(given)
    .setProtectedHeader(Object.fromEntries(protectedHeader.filter(([, value]) => value !== undefined)) as never)
    .sign(signer)
}

/** A token of the client itself, bound to the key. */
export const boundToken = async (server: Pick<Server, 'app'>, key: ProofKey, scope = 'read'): Promise<string> =>
  (await token(server, { grant_type: 'client_credentials', scope }, { ...asWeb, dpop: await proof(key) })).json().access_token

/** A request with a token and a proof that fits it, or what the parts say. */
export async function ask (
  server: Pick<Server, 'app'>, text: string, key: ProofKey, { claims = {}, ...parts }: ProofParts = {},
  path = '/api/Notes/who'
): Promise<LightMyRequestResponse> {
  const dpop = await proof(key, {
    ...parts, claims: { htm: 'GET', htu: origin + path, ath: athOf(text), ...claims }
  })
  return await get(server, path, { authorization: `DPoP ${text}`, dpop })
}

export const spa = { client_id: 'spa', redirect_uri: 'https://spa.test/cb' }

/** A code of the public client. */
export async function spaCode (
  server: Pick<Server, 'app'>, more: Record<string, string> = {}
): Promise<Record<string, string>> {
  const secret = verifier()
  const { query } = await new Browser(server).walk(request({ ...spa, ...more }, secret))
  return { grant_type: 'authorization_code', code: query.get('code') as string, code_verifier: secret, ...spa }
}

export { callback }
