/** Where the type of a property is written, and the error for a type that is not valid. */
import { InvalidDefinitionError } from '../errors.js'

/** Where a type is written, for messages. */
export interface TypeLocation {
  readonly model: string
  readonly property: string
  /** File of the definition. */
  readonly source?: string
  /** Told of what is wrong and can be lived with; without it the definition is refused. */
  readonly tolerate?: (message: string) => void
  /** Whether `format`, `trim` and their like of JSON, and rules of members, are left alone (`propertyKeywords`). */
  readonly ignoresKeywords?: boolean
  /** Whether the type alone is wanted. */
  readonly typeAlone?: true
}

/** For who asks what a type is, where what is said beside it is looked at elsewhere. */
export const typeAlone: Required<Pick<TypeLocation, 'typeAlone'>> = { typeAlone: true }

/** The error for a definition of a property that is not valid. */
export function invalidType (location: TypeLocation, problem: string): Error {
  return new InvalidDefinitionError(
    `${location.source === undefined ? '' : `${location.source}: `}model "${location.model}", property "${location.property}"`,
    problem
  )
}
