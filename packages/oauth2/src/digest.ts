/** Random texts, and what is stored of them (O-095, O-271). */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits as 43 characters. */
export const randomText = (): string => randomBytes(32).toString('base64url')

/** From the text of a token to the id of its record. */
export type Digest = (text: string) => string

export function digestWith (secret: string | undefined): Digest {
  return secret === undefined
    ? text => createHash('sha256').update(text).digest('base64url')
    : text => createHmac('sha256', secret).update(text).digest('base64url')
}

/** Compares in a time that does not depend on where the texts differ. */
export function isSame (a: string, b: string): boolean {
  const [one, other] = [a, b].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(one as Buffer, other as Buffer)
}
