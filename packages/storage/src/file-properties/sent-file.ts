/**
 * Tokens of files that clients send to signed addresses: anyone who has one may put the file into a row of the model.
 */
import { isUtf8 } from 'node:buffer'
import type { AddressSigner, SignedFor } from '../signed/address-signer.js'
import type { FileLocation } from './file-location.js'

export interface SentFile {
  readonly id: string
  readonly name: string
  readonly type: string
  /** Until when it can be sent, in seconds since 1970. */
  readonly expires: number
}

/** Seconds after the end of the address in which a row can take the file. */
const claimable = 60 * 60

/** What the signature speaks of: one property of one model. */
const signedFor = ({ Model, property }: FileLocation, { id, name, type, expires }: SentFile): SignedFor =>
  ({
    model: Model.modelName,
    verb: 'PUT',
    container: `file property ${property.name}`,
    file: `${id} ${name}`,
    type,
    expires
  })

export function signToken (signer: AddressSigner, place: FileLocation, file: SentFile): string {
  const { id, name, type, expires } = file
  const payload = Buffer.from(JSON.stringify([id, name, type, expires])).toString('base64url')
  return `${payload}.${signer.sign(signedFor(place, file))}`
}

/**
 * The file of a token; undefined for one that was not given out for this property, or is over.
 * @param sending whether the file is to be sent now
 */
export function openToken (
  signer: AddressSigner, place: FileLocation, token: string, sending = false
): SentFile | undefined {
  const [payload = '', signature = '', ...more] = token.split('.')
  const bytes = Buffer.from(payload, 'base64url')
  if (more.length > 0 || token.length > 4096 || !isUtf8(bytes)) return undefined
  const file = fileIn(bytes.toString())
  // One file has one token: the encoding has no second spelling.
  if (file === undefined || bytes.toString('base64url') !== payload) return undefined
  if (!signer.isOf(signedFor(place, file), signature)) return undefined
  return (file.expires + (sending ? 0 : claimable)) * 1000 > Date.now() ? file : undefined
}

function fileIn (text: string): SentFile | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(parts) || parts.length !== 4) return undefined
  const [id, name, type, expires] = parts as unknown[]
  return typeof id === 'string' && typeof name === 'string' && typeof type === 'string' && Number.isSafeInteger(expires)
    ? { id, name, type, expires: expires as number }
    : undefined
}
