/** Random texts, and what is stored of them (O-095, O-271). */
import { createHmac, randomBytes, randomFillSync } from 'node:crypto'
import { isSameText } from '@fastback/auth/service'
import type { Row } from '@fastback/core'
import { sha256 } from '@fastback/core/connector'

/** 256 random bits as 43 characters. */
export const randomText = (): string => randomBytes(32).toString('base64url')

const textBytes = 32
const textsAtOnce = 128

/**
 * The same for many texts: asking for random bytes costs more than the bytes do, so it is done for some texts at a
 * time.
 */
export class RandomTexts {
  readonly #bytes = Buffer.alloc(textBytes * textsAtOnce)
  #used = this.#bytes.length

  next (): string {
    if (this.#used === this.#bytes.length) {
      randomFillSync(this.#bytes)
      this.#used = 0
    }
    const from = this.#used
    this.#used += textBytes
    const text = this.#bytes.toString('base64url', from, this.#used)
    // What was given out is not kept.
    this.#bytes.fill(0, from, this.#used)
    return text
  }
}

/** From the text of a token to the id of its record. */
export type Digest = (text: string) => string

export function digestWith (secret: string | undefined): Digest {
  return secret === undefined
    ? text => sha256(text)
    : text => createHmac('sha256', secret).update(text).digest('base64url')
}

/**
 * A row that was found by the digest of a secret, if it is of that very digest: a column may take other letters for the
 * same (security.md, S-79).
 */
export const withDigest = (row: Row | undefined, property: string, digest: string): Row | undefined =>
  isSameText(row?.[property], digest) ? row : undefined
