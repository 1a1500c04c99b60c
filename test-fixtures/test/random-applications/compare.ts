/** What two responses of the same request differ in. The wording of errors is nobody's contract. */
import { isDeepStrictEqual } from 'node:util'
import type { Sent } from './requests.js'
import type { Answer } from './servers.js'

export interface Difference {
  readonly sent: Sent
  /** Whether the application takes arguments as LoopBack 3 does. */
  readonly loose: boolean
  readonly real: Answer
  readonly own: Answer
}

type Json = Record<string, unknown>

/**
 * An error as far as both have it: LoopBack tells violations by property (`codes`), ours are a list, and ours have a
 * code and a name of their own where LoopBack has none.
 */
function withoutWording (body: unknown): unknown {
  const error = (body as Json | undefined)?.error as Json | undefined
  if (error === undefined || error === null || typeof error !== 'object') return body
  const { statusCode, message, stack, name, code, details, ...rest } = error
  const violations = statusCode === 422 ? violationsOf(details) : undefined
  return { ...body as Json, error: { statusCode, ...(violations === undefined ? {} : { violations }), ...rest } }
}

/** `name code` of each, sorted: what is missing is told by the schema of the body here, and by a validation there. */
export function violationsOf (details: unknown): readonly string[] | undefined {
  if (Array.isArray(details)) {
    const told = (details as Json[]).map(({ path, code, info }) => {
      const { missingProperty, additionalProperty } = (info ?? {}) as Json
      if (code === 'required') return `${String(missingProperty)} presence`
      if (code === 'additionalProperties') return `${String(additionalProperty)} unknown-property`
      return `${String(path).replace(/^\./, '')} ${String(code)}`
    })
    return [...new Set(told)].sort()
  }
  const codes = (details as Json | undefined)?.codes as Readonly<Record<string, readonly string[]>> | undefined
  if (codes === undefined) return undefined
  const told = Object.entries(codes).flatMap(([path, all]) => [all].flat().map(code => `${path} ${code}`))
  return [...new Set(told)].sort()
}

export const areAlike = (real: Answer, own: Answer): boolean =>
  real.status === own.status && isDeepStrictEqual(withoutWording(real.body), withoutWording(own.body))

export function differencesOf (
  requests: readonly Sent[], real: readonly Answer[], own: readonly Answer[], loose = false
): Difference[] {
  return requests.flatMap((sent, i) => {
    const pair = { real: real[i] as Answer, own: own[i] as Answer }
    return areAlike(pair.real, pair.own) ? [] : [{ sent, loose, ...pair }]
  })
}
