import type { ApiDocument } from '../routes.js'
import { answered, errorForm, noServerFault, nothingHidden, nothingOfTheInside, notSniffed } from './responses.js'
import { asDescribed } from './described.js'
import type { Invariant } from './fault.js'
import { rowsAllowed } from './rows.js'

export { isApplicationsOwn, isThrownIn } from './responses.js'
export type { Observation, Setting } from './fault.js'

/** All rules, the gravest first: of several that a response breaks, the first is told. */
export const invariantsFor = (document: ApiDocument): readonly Invariant[] => [
  noServerFault,
  nothingHidden,
  nothingOfTheInside,
  rowsAllowed,
  answered,
  errorForm,
  notSniffed,
  asDescribed(document)
]
