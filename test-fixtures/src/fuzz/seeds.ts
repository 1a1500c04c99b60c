/**
 * Faults that were found, as files: the session that showed each, so that a test can try it again whatever became of
 * the generator.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Found } from './campaign.js'
import type { Session } from './requests.js'
import { checkout } from './checkout.js'
import { type StoreName } from './target.js'
import { fromJson, toJson } from './wire-request.js'

export interface Seed {
  /** The application folder, from the checkout. */
  readonly app: string
  readonly store: StoreName
  /** Operations that answer 5xx on purpose. */
  readonly mayFail?: readonly string[]
  /** What was wrong. */
  readonly fault: string
  readonly session: Session
}

export const seedOf = (dir: string, store: StoreName, { fault, session }: Found): object => ({
  app: path.relative(checkout, dir),
  store,
  fault: fault.what.split('\n', 1)[0]?.slice(0, 300),
  session: { together: session.together, requests: session.requests.map(toJson) }
})

export function readSeed (file: string): Seed {
  const seed = JSON.parse(readFileSync(file, 'utf8')) as Omit<Seed, 'session'> & {
    session: { together: boolean; requests: object[] }
  }
  return { ...seed, session: { together: seed.session.together, requests: seed.session.requests.map(fromJson) } }
}
