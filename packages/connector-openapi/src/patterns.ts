/** Patterns that somebody else wrote, in schemas that the routes of this server check (security.md, S-191). */
import { isLinearPattern } from '@fastback/core/connector'
import type { Json } from './json.js'

/** Members that hold values, and no schemas. */
const values: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** Members that hold schemas by names, which mean nothing. */
const byName: ReadonlySet<string> = new Set(['properties', 'dependentSchemas', '$defs', 'definitions'])

/**
 * A schema without the patterns that may take a text for ever: the service checks these itself, and `Checks` refuses
 * long texts for them.
 */
export function withoutSlowPatterns (schema: Json): Json {
  const members = Object.entries(schema).flatMap(([name, value]): Array<[string, unknown]> => {
    if (name === 'pattern' && typeof value === 'string') return isLinearPattern(value) ? [[name, value]] : []
    if (name === 'patternProperties') return [[name, ofNames(value, isLinearPattern)]]
    if (byName.has(name)) return [[name, ofNames(value)]]
    return [[name, values.has(name) ? value : within(value)]]
  })
  return Object.fromEntries(members)
}

const within = (value: unknown): unknown => Array.isArray(value)
  ? value.map(within)
  : typeof value === 'object' && value !== null ? withoutSlowPatterns(value as Json) : value

function ofNames (value: unknown, isKept: (name: string) => boolean = () => true): unknown {
  if (typeof value !== 'object' || value === null) return value
  const named = Object.entries(value).filter(([name]) => isKept(name))
  return Object.fromEntries(named.map(([name, schema]) => [name, within(schema)]))
}
