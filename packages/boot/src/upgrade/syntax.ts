/** Trees of ESTree nodes, as acorn and oxc-parser give them: what is asked of them, without their types. */
export interface SyntaxNode {
  readonly type: string
  /** Offsets into the text. */
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Reads a text as a tree (`Program`); throws where it cannot. */
export type Parse = (text: string, file: string) => SyntaxNode

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.type === 'string'

/** A node below a node; what only groups (parentheses, `?.`, types) is looked through. */
export function child (node: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  const found = node?.[key]
  return isNode(found) ? bare(found) : undefined
}

export function children (node: SyntaxNode | undefined, key: string): SyntaxNode[] {
  const found = node?.[key]
  return Array.isArray(found) ? found.filter(isNode).map(bare) : []
}

const groups = new Set([
  'ParenthesizedExpression', 'ChainExpression', 'TSAsExpression', 'TSNonNullExpression', 'TSTypeAssertion', 'TSSatisfiesExpression'
])

function bare (node: SyntaxNode): SyntaxNode {
  return groups.has(node.type) ? child(node, 'expression') ?? node : node
}

/** What stands in quotes; undefined where it is made of parts. */
export function stringOf (node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  const quasis = node?.type === 'TemplateLiteral' ? children(node, 'quasis') : []
  const value = quasis.length === 1 ? quasis[0]?.value as { cooked?: unknown } | undefined : undefined
  return typeof value?.cooked === 'string' ? value.cooked : undefined
}

/** `a.b` and `a['b']`: `b`. Undefined for what is no member, or has a name that is only known when it runs. */
export function memberName (node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== 'MemberExpression') return undefined
  const property = child(node, 'property')
  return node.computed === true ? stringOf(property) : nameOf(property)
}

export const nameOf = (node: SyntaxNode | undefined): string | undefined =>
  node?.type === 'Identifier' ? String(node.name) : undefined

/** The method that is called: `create` of `Pet.create(…)`. */
export const calledMethod = (call: SyntaxNode | undefined): string | undefined =>
  call?.type === 'CallExpression' ? memberName(child(call, 'callee')) : undefined

/** What the method is called on: `Pet` of `Pet.create(…)`. */
export const receiver = (call: SyntaxNode): SyntaxNode | undefined => child(child(call, 'callee'), 'object')

export const argumentsOf = (call: SyntaxNode): SyntaxNode[] => children(call, 'arguments')

/** The name of a property of an object literal. */
export function keyOf (property: SyntaxNode): string | undefined {
  const key = child(property, 'key')
  return property.computed === true ? stringOf(key) : nameOf(key) ?? stringOf(key)
}

/** A property of an object literal. */
export const propertyOf = (object: SyntaxNode | undefined, name: string): SyntaxNode | undefined =>
  object?.type === 'ObjectExpression' ? children(object, 'properties').find(each => keyOf(each) === name) : undefined

/** The value of a property of an object literal. */
export const valueOf = (object: SyntaxNode | undefined, name: string): SyntaxNode | undefined =>
  child(propertyOf(object, name), 'value')

export const isFunction = (node: SyntaxNode | undefined): boolean =>
  node !== undefined && /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type)

/** The nodes right below a node. */
export function below (node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])
}

/** A node and all below it, but for what is left out, with all below that. */
export function * within (
  node: SyntaxNode, isLeftOut: (node: SyntaxNode) => boolean = () => false
): Generator<SyntaxNode> {
  const left = [node]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (isLeftOut(each)) continue
    yield each
    left.push(...below(each).reverse())
  }
}
