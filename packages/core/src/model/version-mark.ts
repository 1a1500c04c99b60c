import type { CompiledProperty } from '../definition/stored-model.js'
import { plainKinds } from '../properties/plain-kinds.js'

/**
 * What stands before the version in a row's JSON, and nowhere else: in texts, the quotes of what resembles a member are
 * escaped. Undefined where it may stand elsewhere, as in objects.
 */
export function versionMark (
  version: CompiledProperty | undefined, visible: readonly CompiledProperty[], isOpen: boolean
): string | undefined {
  if (version === undefined || isOpen || !visible.includes(version)) return undefined
  return visible.every(({ type }) => plainKinds.has(type.kind)) ? `${JSON.stringify(version.name)}:` : undefined
}
