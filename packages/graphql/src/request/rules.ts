/** Limits on documents, as rules that GraphQL's own validation runs with its others. */
import {
  GraphQLError, Kind, NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode, type SelectionSetNode, type ValidationContext, type ValidationRule
} from 'graphql'
import type { GraphqlLimits, Settings } from '../options.js'

/** How much an operation, or a fragment, selects: each fragment as often as it is used. */
interface Size {
  readonly depth: number
  readonly fields: number
  readonly aliases: number
}

const nothing: Size = { depth: 0, fields: 0, aliases: 0 }

/** The rules of an application. */
export const rulesOf = ({ limits, introspection }: Pick<Settings, 'limits' | 'introspection'>): ValidationRule[] => [
  sizeRule(limits), introspection ? schemaRule : NoSchemaIntrospectionCustomRule
]

const sizeRule = (limits: GraphqlLimits): ValidationRule => context => {
  const fragments = new Sizes(context)
  return {
    OperationDefinition (operation) {
      const size = fragments.of(operation.selectionSet)
      const demand = (name: 'depth' | 'fields' | 'aliases' | 'calls', found: number, what: string): void => {
        if (found > limits[name]) context.reportError(tooMuch(operation, what, name, limits[name]))
      }
      demand('depth', size.depth, 'levels')
      demand('fields', size.fields, 'fields')
      demand('aliases', size.aliases, 'aliases')
      demand('calls', fragments.calls(operation.selectionSet), 'fields of Query or Mutation')
    }
  }
}

/** Lists of the schema of which one in another multiplies what a response has. */
const schemaLists: ReadonlySet<string> = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes'])

/**
 * Of the schema a document has each part once, as tools ask for it: without other names, and without such lists within
 * each other. Nothing else bounds what it comes to before it is all there (security.md, S-206).
 */
const schemaRule: ValidationRule = context => ({
  Field (node) {
    const { name: { value }, alias, selectionSet } = node
    if (value !== '__schema' && value !== '__type') return
    // Types may be asked for one by one: such aliases count as all others do.
    if ((alias === undefined || value === '__type') && !isTwofold(context, selectionSet, 0, new Set())) return
    context.reportError(new GraphQLError(
      'The schema is described without aliases, and without lists of fields within each other.', {
        nodes: node,
        extensions: { statusCode: 400, code: 'GRAPHQL_LIMIT_EXCEEDED', details: { limit: 'schema', most: 1 } }
      }))
  }
})

/** @param lists around the selection */
function isTwofold (
  context: ValidationContext, selectionSet: SelectionSetNode | undefined, lists: number, seen: Set<string>
): boolean {
  return selectionSet?.selections.some(selection => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return isTwofold(context, selection.selectionSet, lists, seen)
    const { value } = selection.name
    if (selection.kind === Kind.FIELD) {
      const within = schemaLists.has(value) ? lists + 1 : lists
      return selection.alias !== undefined || within > 1 || isTwofold(context, selection.selectionSet, within, seen)
    }
    const visit = `${value} ${lists}`
    if (seen.has(visit)) return false
    seen.add(visit)
    return isTwofold(context, context.getFragment(value)?.selectionSet, lists, seen)
  }) === true
}

const tooMuch = (operation: OperationDefinitionNode, what: string, limit: string, most: number): GraphQLError =>
  new GraphQLError(`The operation has more than ${most} ${what} (limit "${limit}"). Ask in several requests.`, {
    nodes: operation, extensions: { statusCode: 400, code: 'GRAPHQL_LIMIT_EXCEEDED', details: { limit, most } }
  })

/** Each fragment is measured once; one that contains itself is refused by another rule, and counts as nothing here. */
class Sizes {
  readonly #known = new Map<string, Size>()
  readonly #calls = new Map<string, number>()

  constructor (readonly context: ValidationContext) {}

  of ({ selections }: SelectionSetNode): Size {
    return selections.map(selection => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#fragment(selection.name.value)
      if (selection.kind === Kind.INLINE_FRAGMENT) return this.of(selection.selectionSet)
      // What describes the schema has a rule of its own.
      const isOfSchema = selection.name.value.startsWith('__')
      const inner = selection.selectionSet === undefined || isOfSchema ? nothing : this.of(selection.selectionSet)
      return {
        depth: 1 + inner.depth,
        fields: 1 + inner.fields,
        aliases: inner.aliases + (selection.alias === undefined ? 0 : 1)
      }
    }).reduce((sum, each) => ({
      depth: Math.max(sum.depth, each.depth), fields: sum.fields + each.fields, aliases: sum.aliases + each.aliases
    }), nothing)
  }

  #fragment (name: string): Size {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#known.set(name, nothing)
    const fragment = this.context.getFragment(name)
    const size = fragment === null || fragment === undefined ? nothing : this.of(fragment.selectionSet)
    this.#known.set(name, size)
    return size
  }

  /** The fields of an operation itself. */
  calls ({ selections }: SelectionSetNode): number {
    return selections.map(selection => {
      if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__') ? 0 : 1
      if (selection.kind === Kind.INLINE_FRAGMENT) return this.calls(selection.selectionSet)
      const { value } = selection.name
      const known = this.#calls.get(value)
      if (known !== undefined) return known
      this.#calls.set(value, 0)
      const fragment = this.context.getFragment(value)
      const count = fragment === null || fragment === undefined ? 0 : this.calls(fragment.selectionSet)
      this.#calls.set(value, count)
      return count
    }).reduce((sum, each) => sum + each, 0)
  }
}
