import { maskText } from '@fastback/core/remote'

/** Characters of a reason that are stored. */
const longest = 1000

/** What a job failed with: the message alone, without what `maskText` takes for secrets. */
export function reasonOf (error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // No store takes a zero character, or half a surrogate pair, for sure.
  return Buffer.from(maskText(text === '' ? 'Error' : text).replaceAll('\0', '').slice(0, longest)).toString()
}
