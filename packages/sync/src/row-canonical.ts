/** The canonical JSON of a row, without making its JSON first: most rows are a few plain values. */
import type { CompiledModel, ModelClass, Row } from '@fastback/core'
import { toIsoText } from '@fastback/core/connector'
import { canonicalJson } from './canonical-json.js'

/** A property as it is written. */
interface Member {
  readonly name: string
  /** `"name":` */
  readonly key: string
  /** Whether a row that lacks it is shown with a default, or with null. */
  readonly isFilled: boolean
}

interface Members {
  /** In the order of their names. */
  readonly visible: readonly Member[]
  readonly declared: ReadonlySet<string>
}

const kMembers = Symbol('fastback.sync.members')

function membersOf ({ compiled, registry, settings }: ModelClass): Members {
  const all = registry.slot(kMembers, () => new WeakMap<CompiledModel, Members>())
  const known = all.get(compiled)
  if (known !== undefined) return known
  const { properties, hidden, selectByName } = compiled
  const fillsNulls = settings.persistUndefinedAsNull === true
  const filled = new Set(properties.flatMap(({ name, makeDefault, definition, idPosition }) =>
    (makeDefault === undefined ? fillsNulls && idPosition === 0 : definition.defaultFn === undefined) ? [name] : []))
  const made = {
    visible: selectByName.names.filter(name => !hidden.has(name)).map(name =>
      ({ name, key: `${canonicalJson(name)}:`, isFilled: filled.has(name) })),
    declared: new Set(properties.map(({ name }) => name))
  }
  all.set(compiled, made)
  return made
}

/**
 * The text that the revision of a stored row is the hash of; undefined for rows that are more than declared properties
 * with plain values.
 */
export function rowCanonical (Model: ModelClass, row: Readonly<Row>): string | undefined {
  const { visible, declared } = membersOf(Model)
  if (Object.getPrototypeOf(row) !== Object.prototype) return undefined
  for (const name of Object.keys(row)) if (!declared.has(name)) return undefined
  let text = ''
  for (const { name, key, isFilled } of visible) {
    const value = row[name]
    if (value === undefined && !isFilled) continue
    const written = plainText(value)
    if (written === undefined) return undefined
    text += `${text === '' ? '' : ','}${key}${written}`
  }
  return `{${text}}`
}

function plainText (value: unknown): string | undefined {
  switch (typeof value) {
    case 'string': return canonicalJson(value)
    case 'boolean': return value ? 'true' : 'false'
    case 'number': return Number.isFinite(value) ? canonicalJson(value) : undefined
    case 'object':
      if (value === null) return 'null'
      return value instanceof Date && !Number.isNaN(value.getTime()) ? `"${toIsoText(value)}"` : undefined
  }
  return undefined
}
