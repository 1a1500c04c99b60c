/** Models that come in any order, bases before those that extend them. */
import { DuplicateModelError, InvalidDefinitionError } from '../errors.js'
import type { ModelDefinitionInput } from './definition.js'
import { flattenDefinition } from './flatten.js'

export interface SourcedDefinition { readonly input: ModelDefinitionInput; readonly source?: string }

/**
 * Calls `define` for each definition, after those that it extends.
 * @throws FBK_CORE_DUPLICATE_MODEL; FBK_CORE_INVALID_DEFINITION for models that extend one another in a circle
 */
export function eachInOrder (
  definitions: readonly SourcedDefinition[],
  define: (definition: SourcedDefinition) => void
): void {
  const waiting = new Map(definitions.map(each => [each.input.name, each]))
  if (waiting.size < definitions.length) {
    const names = definitions.map(each => each.input.name)
    throw new DuplicateModelError(names.find((name, index) => names.indexOf(name) !== index))
  }
  const under = new Set<string>()
  const defineAfterBase = (name: string): void => {
    const each = waiting.get(name)
    if (each === undefined) return
    if (under.has(name)) {
      throw new InvalidDefinitionError(
        `${each.source === undefined ? '' : `${each.source}: `}model "${name}", base`,
        `the model extends itself (${[...under, name].join(' > ')})`
      )
    }
    under.add(name)
    const { base } = flattenDefinition(each.input, each.source)
    const before = typeof base === 'object' ? base?.name : base
    if (typeof before === 'string') defineAfterBase(before)
    under.delete(name)
    if (waiting.delete(name)) define(each)
  }
  for (const { input } of definitions) defineAfterBase(input.name)
}
