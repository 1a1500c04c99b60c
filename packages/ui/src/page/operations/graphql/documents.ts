/** Documents to begin with, and what stands in one. */
import {
  getNamedType, isEnumType, isInputObjectType, isInterfaceType, isLeafType, isListType, isNonNullType, isObjectType,
  Kind, parse,
  type GraphQLArgument, type GraphQLField, type GraphQLInputType, type GraphQLOutputType
} from 'graphql'

type Field = GraphQLField<unknown, unknown>

/** Levels of fields that a document begins with. */
const deepest = 3
/** Fields of one level. */
const most = 12

/**
 * A document that calls a field with the arguments that it needs, and shows what is no further object.
 *
 * ```js
 * documentOf('query', schema.getQueryType().getFields().notes) // 'query {\n  notes {\n    id\n  }\n}\n'
 * ```
 */
export function documentOf (operation: string, { name, args, type }: Field): string {
  const needed = args.filter(each => isNonNullType(each.type) && each.defaultValue === undefined)
  const given = needed.length === 0 ? '' : `(${needed.map(written).join(', ')})`
  return `${operation} {\n  ${name}${given}${selectionOf(type, 1)}\n}\n`
}

const written = ({ name, type }: GraphQLArgument): string => `${name}: ${valueOf(type)}`

/** A value of the type to begin with. */
function valueOf (type: GraphQLInputType): string {
  if (isNonNullType(type)) return valueOf(type.ofType)
  if (isListType(type)) return '[]'
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null'
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter(field => isNonNullType(field.type))
    return needed.length === 0 ? '{}' : `{ ${needed.map(field => `${field.name}: ${valueOf(field.type)}`).join(', ')} }`
  }
  const starts: Readonly<Record<string, string>> = { Int: '1', Float: '1', Boolean: 'true', ID: '"1"' }
  return starts[type.name] ?? '""'
}

function selectionOf (type: GraphQLOutputType, level: number): string {
  const named = getNamedType(type)
  if (!isObjectType(named) && !isInterfaceType(named)) return ''
  const fields = Object.values(named.getFields()).filter(({ args }) => !args.some(each => isNonNullType(each.type)))
  const leaves = fields.filter(field => isLeafType(getNamedType(field.type))).slice(0, most).map(({ name }) => name)
  // Connections have nothing but objects.
  const inner = leaves.length > 0 || level >= deepest
    ? []
    : fields.slice(0, most).flatMap(field => {
      const selection = selectionOf(field.type, level + 1)
      return selection === '' ? [] : [field.name + selection]
    })
  const lines = [...leaves, ...inner]
  const indent = '  '.repeat(level + 1)
  return ` {\n${(lines.length === 0 ? ['__typename'] : lines).map(line => indent + line).join('\n')}\n${'  '.repeat(level)}}`
}

/**
 * The names of a document's operations; undefined where it is none.
 *
 * ```js
 * operationsIn('query a { x } query b { y }') // ['a', 'b']
 * ```
 */
export function operationsIn (document: string): string[] | undefined {
  try {
    return parse(document).definitions
      .flatMap(each => each.kind === Kind.OPERATION_DEFINITION && each.name !== undefined ? [each.name.value] : [])
  } catch {
    return undefined
  }
}
