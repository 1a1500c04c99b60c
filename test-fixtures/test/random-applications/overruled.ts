/** Differences that a rule of ours overrules, by name. What none of these explains is a difference. */
import type { Difference } from './compare.js'

type Json = Readonly<Record<string, unknown>>

const errorOf = (body: unknown): Json | undefined => (body as Json | undefined)?.error as Json | undefined

const rules: ReadonlyArray<readonly [rule: string, applies: (difference: Difference) => boolean]> = [
  ['LoopBack fails: 500, or no answer at all', ({ real }) => real.status === 0 || real.status === 500],
  ['S-11: a hidden property cannot be asked about', ({ own }) => errorOf(own.body)?.code === 'HIDDEN_PROPERTY_IN_QUERY']
]

/** The rule that explains a difference, if one does. */
export const overruledBy = (difference: Difference): string | undefined =>
  rules.find(([, applies]) => applies(difference))?.[0]
