import type { MaybePromise } from '../maybe-promise.js'
import type { IncludeGuard } from '../interfaces/include-guard.js'
import type { Row } from '../properties/types.js'
import { compiledOf, isInstance } from '../instances/instance.js'
import { includedOf, setIncluded } from '../instances/included.js'
import { chain, eachInSequence } from '../maybe-promise.js'
import type { Relation } from '../interfaces/relation.js'

/** Removes the related rows from `rows` that the caller may not see. */
export function filterIncluded (
  rows: readonly Row[],
  relation: Relation,
  shows: NonNullable<ReturnType<IncludeGuard['filter']>>
): MaybePromise<void> {
  const target = relation.target()
  const isShown = (related: Row): MaybePromise<boolean> => {
    const Model = target ?? (isInstance(related) ? compiledOf(related).Model : undefined)
    return Model !== undefined && shows(related, Model)
  }
  return eachInSequence(rows, row => {
    const found = includedOf(row)?.[relation.name]
    if (found === undefined || found === null) return
    const shown: Row[] = []
    const keep = (related: Row): MaybePromise<void> =>
      chain(isShown(related), yes => {
        if (yes) shown.push(related)
      })
    return chain(eachInSequence([found].flat(), keep), () => {
      setIncluded(row, relation.name, Array.isArray(found) ? shown : shown[0])
    })
  })
}
