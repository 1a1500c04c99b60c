/** What the description of the API tells of a property, from its definition. */
import { isDeprecated } from '../definition/deprecation.js'
import type { PropertyDefinition } from '../definition/definition.js'

/** Sentences are lines. LoopBack's older word for `description` is `doc`. */
const textOf = ({ description, doc, comments }: PropertyDefinition): string | undefined => {
  const text = description ?? doc ?? comments
  return Array.isArray(text) ? text.join('\n') : typeof text === 'string' ? text : undefined
}

/**
 * Keywords of JSON Schema that tell and do not demand.
 *
 * ```js
 * describe({ type: 'string', doc: 'Name of the shop', deprecated: true })
 * // { description: 'Name of the shop', deprecated: true }
 * ```
 */
export function describe (definition: PropertyDefinition): { description?: string, deprecated?: true } {
  const description = textOf(definition)
  return {
    ...description === undefined ? {} : { description },
    ...isDeprecated(definition.deprecated) ? { deprecated: true as const } : {}
  }
}
