/** Checks the keys of the folder's configuration files. */
import type { TObject } from '@sinclair/typebox'
import { keyFaults, strictnessOf, reportFaults } from '@fastback/core/remote'

/** Tells what in a written object is not of the vocabulary. `place`: what the sentence begins with. */
export type CheckKeys = (place: string, written: object, vocabulary: TObject) => void

/**
 * Mistakes are told, and refused where the application's definitions are strict.
 * @param setting `modelDefinitions` of config.json
 * @param warn takes a sentence
 */
export function keyCheck (setting: unknown, warn: (message: string) => void): CheckKeys {
  const strictness = strictnessOf(setting ?? 'open')
  const log = { warn: (_fields: object, message: string) => { warn(message) }, info () {}, debug () {} }
  return (place, written, { properties, additionalProperties }) => {
    const faults = keyFaults(written as Record<string, unknown>, properties, '')
    const told = additionalProperties === false ? faults : faults.filter(({ kind }) => kind !== 'foreign')
    reportFaults(told, place, strictness, log)
  }
}
