/** What is wrong with one value of a row: as clients are told, and as LoopBack's code in the process reads it. */

/** Where a violation has the code that the error has because of it. */
export const ERROR_CODE = Symbol('fastback.errorCode')

/** One violation, as it stands in `error.details` (specification, Validation error entry). */
export interface Violation {
  path: string
  /** One word: a JSON Schema keyword, or the validation's (`presence`, `uniqueness`, `custom.email`). */
  code: string
  message: string
  info: Record<string, unknown>
  /** Of the error, where all its violations say the same; not told among the details. */
  readonly [ERROR_CODE]?: string | undefined
}

/** The code that an error has because of what is wrong; undefined: it is one as any other. */
export function errorCodeOf (violations: readonly Violation[]): string | undefined {
  const code = violations[0]?.[ERROR_CODE]
  return code !== undefined && violations.every(each => each[ERROR_CODE] === code) ? code : undefined
}

/** A violation, and what code in the process reads of it where that differs. */
export interface FoundViolation extends Violation {
  readonly inProcess?: {
    /** Default: that of the violation. */
    readonly path?: string
    readonly code: string
    readonly message: string
  } | undefined
}

/** The violation of a part of a row, as one of the row. */
export function within (path: string, violation: FoundViolation): FoundViolation {
  const { inProcess } = violation
  return {
    ...violation,
    path: path + violation.path,
    ...(inProcess?.path === undefined ? {} : { inProcess: { ...inProcess, path: path + inProcess.path } })
  }
}

const bare = (path: string): string => path.startsWith('.') ? path.slice(1) : path

/** The property that a violation speaks of, as the process names it: `title`, `address.city`. */
export const propertyOf = ({ path, inProcess }: FoundViolation): string => bare(inProcess?.path ?? path)

/** The property of the row itself in which the violation is; undefined for the row as a whole. */
export const rootOf = (violation: FoundViolation): string | undefined => /^[^.[]+/.exec(propertyOf(violation))?.[0]

/** Entries that a message names; the others are counted. */
const mostNamed = 5

/** All violations in a sentence, for the message of the error. */
export function messageOfViolations (violations: readonly Violation[]): string {
  const named = violations.slice(0, mostNamed).map(({ path, message }) =>
    path === '' ? message : `\`${bare(path)}\` ${message}`)
  const more = violations.length - named.length
  return `The data is not valid: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}
