/** Where the type of a property is written, and the error for one that is written wrongly. */
import { InvalidDefinitionError } from '../errors.js'

/** Where a type is written, for messages. */
export interface TypePlace {
  readonly model: string
  readonly property: string
  /** File of the definition. */
  readonly source?: string
}

/** The error for a property that is written wrongly. */
export function badType (place: TypePlace, problem: string): Error {
  return new InvalidDefinitionError(
    `${place.source === undefined ? '' : `${place.source}: `}model "${place.model}", property "${place.property}"`,
    problem
  )
}
