import type { ArgumentDefinition, ArgumentSource } from '@fastback/core'

/**
 * The place that an argument names; undefined where it names none. Filters are read from the query alone (security.md,
 * S-25).
 */
export function sourceOf (argument: ArgumentDefinition): ArgumentSource | 'function' | 'options' | undefined {
  const { http } = argument
  if (typeof http === 'function') return 'function'
  if (http === 'optionsFromRequest') return 'options'
  if (http !== undefined && http !== null && typeof http === 'object' && http.source !== undefined) return http.source
  return argument.modelFilter === undefined ? undefined : 'query'
}
