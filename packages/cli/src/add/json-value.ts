/** Answers that are objects of JSON. */
import { UsageError } from '../errors.js'

/** Why a text is no object of JSON. */
export function jsonFault (text: string): string | undefined {
  try {
    jsonOf(text)
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * The object; an empty one where nothing was said.
 * @throws FBK_CLI_USAGE
 */
export function jsonOf (text: string | undefined): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text ?? '{}')
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`"${text ?? ''}" is no object of JSON, such as {"max":5}.`)
  }
  return value as Record<string, unknown>
}
