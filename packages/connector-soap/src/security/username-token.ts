/** The header of WS-Security with a name and a password (SO-S1; OASIS WSS UsernameToken Profile 1.0). */
import { createHash, randomBytes } from 'node:crypto'
import { escapeText } from '../xml/text.js'
import type { SecuritySettings } from '../settings.js'

const base = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'
export const wsseUri = `${base}-wssecurity-secext-1.0.xsd`
const wsuUri = `${base}-wssecurity-utility-1.0.xsd`
const profile = `${base}-username-token-profile-1.0`
export const base64Encoding = `${base}-soap-message-security-1.0#Base64Binary`

/** Milliseconds that a message is good for. */
const lifetime = 10 * 60 * 1000

const seconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`

/** When a message was made, and until when it is good. */
export const timestamp = (now: number, id?: string): string =>
  `<wsu:Timestamp${id === undefined ? '' : ` wsu:Id="${id}"`}><wsu:Created>${seconds(now)}</wsu:Created>` +
  `<wsu:Expires>${seconds(now + lifetime)}</wsu:Expires></wsu:Timestamp>`

/** @param content XML; @param key the prefix of the envelope */
export const securityHeader = (content: string, key: string, mustUnderstand: boolean): string =>
  `<wsse:Security xmlns:wsse="${wsseUri}" xmlns:wsu="${wsuUri}"` +
  `${mustUnderstand ? ` ${key}:mustUnderstand="1"` : ''}>${content}</wsse:Security>`

/**
 * Another one for every message: a digest holds the time and a number that is used once.
 *
 * ```js
 * usernameToken({ username: 'ann', password: 's3cret', passwordType: 'PasswordDigest' }, 'soap')
 * ```
 */
export function usernameToken (
  { username = '', password = '', passwordType = 'PasswordText', hasTimeStamp, mustUnderstand }: SecuritySettings,
  key: string,
  now = Date.now(),
  nonce = randomBytes(16)
): string {
  const created = seconds(now)
  const isDigest = passwordType === 'PasswordDigest'
  const secret = isDigest
    ? createHash('sha1').update(nonce).update(created).update(password).digest('base64')
    : escapeText(password)
  const once = isDigest
    ? `<wsse:Nonce EncodingType="${base64Encoding}">${nonce.toString('base64')}</wsse:Nonce>`
    : ''
  const token = `<wsse:UsernameToken><wsse:Username>${escapeText(username)}</wsse:Username>` +
    `<wsse:Password Type="${profile}#${passwordType}">${secret}</wsse:Password>${once}` +
    `<wsu:Created>${created}</wsu:Created></wsse:UsernameToken>`
  return securityHeader((hasTimeStamp === false ? '' : timestamp(now)) + token, key, mustUnderstand === true)
}
