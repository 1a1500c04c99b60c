import type { CompiledProperty } from '../definition/stored-model.js'
import type { PropertyKind } from '../properties/types.js'

/** What is written as a number, a word or a text. In a text, the quotes of what resembles a member are escaped. */
const plainKinds: ReadonlySet<PropertyKind> = new Set<PropertyKind>([
  'string', 'number', 'integer', 'long', 'bigint', 'decimal', 'boolean', 'date'
])

/** What stands before the version in a row's JSON, and nowhere else; undefined where it may stand elsewhere as well. */
export function versionMark (
  version: CompiledProperty | undefined, visible: readonly CompiledProperty[], isOpen: boolean
): string | undefined {
  if (version === undefined || isOpen || !visible.includes(version)) return undefined
  return visible.every(({ type }) => plainKinds.has(type.kind)) ? `${JSON.stringify(version.name)}:` : undefined
}
