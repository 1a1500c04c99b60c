/** The fields of a selection, with its fragments and directives resolved. */
import {
  getArgumentValues, getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, Kind,
  type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo, type SelectionNode, type SelectionSetNode
} from 'graphql'

/** A field as it is asked for: once for each name in the response. */
export interface Selected {
  /** The name in the response. */
  readonly key: string
  readonly name: string
  readonly nodes: readonly FieldNode[]
  readonly args: Readonly<Record<string, unknown>>
}

export type Info = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues' | 'schema'>

/**
 * What is selected of an object of a type, `__typename` left out.
 * @param nodes fields of one name in the response, which GraphQL merges
 */
export function selectedFields (info: Info, type: GraphQLObjectType, nodes: readonly FieldNode[]): Selected[] {
  const found = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  for (const { selectionSet } of nodes) if (selectionSet !== undefined) collect(info, type, selectionSet, found, seen)
  const definitions = type.getFields()
  return [...found].flatMap(([key, merged]) => {
    const [first] = merged as [FieldNode]
    const name = first.name.value
    const definition = definitions[name]
    if (definition === undefined) return []
    return [{ key, name, nodes: merged, args: getArgumentValues(definition, first, info.variableValues) }]
  })
}

function collect (
  info: Info, type: GraphQLObjectType, { selections }: SelectionSetNode, found: Map<string, FieldNode[]>,
  seen: Set<string>
): void {
  for (const selection of selections) {
    if (!isWanted(info, selection)) continue
    switch (selection.kind) {
      case Kind.FIELD: {
        const key = selection.alias?.value ?? selection.name.value
        found.set(key, [...found.get(key) ?? [], selection])
        break
      }
      case Kind.INLINE_FRAGMENT:
        if (concerns(info, type, selection.typeCondition?.name.value)) {
          collect(info, type, selection.selectionSet, found, seen)
        }
        break
      case Kind.FRAGMENT_SPREAD: {
        const { value } = selection.name
        const fragment = info.fragments[value]
        if (fragment === undefined || seen.has(value)) break
        seen.add(value)
        if (concerns(info, type, fragment.typeCondition.name.value)) {
          collect(info, type, fragment.selectionSet, found, seen)
        }
      }
    }
  }
}

function isWanted ({ variableValues }: Info, selection: SelectionNode): boolean {
  return getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if !== false
}

/** Whether a fragment is about the type: on itself, or on a union that has it. */
function concerns ({ schema }: Info, type: GraphQLObjectType, name: string | undefined): boolean {
  if (name === undefined || name === type.name) return true
  const other = schema.getType(name)
  return other !== undefined && 'getTypes' in other && schema.isSubType(other, type)
}
