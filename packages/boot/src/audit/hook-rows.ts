/** What an `access` hook that narrows by the token says of rows, read from its source: never run, and never guessed. */
import { parseExpressionAt } from 'acorn'
import { child, children, isNode, memberName, nameOf, stringOf, type SyntaxNode } from '../upgrade/syntax.js'

/** What the hook adds to the conditions, as a rule has it; `unread` where that cannot be said. */
export type HookRows = { readonly rows: Readonly<Record<string, string>> } | 'unread'

const keyword: Readonly<Record<string, string>> = { userId: '$user.id', appId: '$client.id' }

/**
 * Reads a hook. Values of the token are followed through constants of the hook itself; anything else that looks at the
 * token, alternatives, and conditions that are not objects in the text are not read.
 *
 * ```js
 * hookRows('ctx => { ctx.query.where = { ownerId: ctx.options.accessToken.userId } }')
 * // { rows: { ownerId: '$user.id' } }
 * ```
 * @returns undefined where the hook does not look at the token
 */
export function hookRows (text: string): HookRows | undefined {
  if (!text.includes('accessToken')) return undefined
  const tree = parsed(text)
  if (tree === undefined) return 'unread'
  const nodes = all(tree)
  const names = constantsOf(nodes)
  const rows: Record<string, string> = {}
  for (const node of nodes) {
    if (node.type !== 'Property') continue
    const key = nameOf(child(node, 'key')) ?? stringOf(child(node, 'key'))
    // Alternatives may be more than what the caller owns.
    if (key === 'or' || key === 'nor') return 'unread'
    const value = variableOf(child(node, 'value'), names)
    if (key === undefined || value === undefined || isPattern(node, nodes)) continue
    if (rows[key] !== undefined && rows[key] !== value) return 'unread'
    rows[key] = value
  }
  return Object.keys(rows).length === 0 || !setsWhere(nodes) ? 'unread' : { rows }
}

/** Functions and methods: `async ctx => …`, `function (ctx) …`, `async access (ctx) …`. */
function parsed (text: string): SyntaxNode | undefined {
  for (const source of [`(${text})`, `({ ${text} })`]) {
    try {
      return parseExpressionAt(source, 0, { ecmaVersion: 'latest' }) as unknown as SyntaxNode
    } catch { /* The other form, or none. */ }
  }
  return undefined
}

function all (node: SyntaxNode): SyntaxNode[] {
  const below = Object.values(node).flatMap(value => Array.isArray(value) ? value as unknown[] : [value]).filter(isNode)
  return [node, ...below.flatMap(all)]
}

/** Constants that hold a value of the token: `const userId = ctx.options.accessToken.userId`, `const { userId } = …` */
function constantsOf (nodes: readonly SyntaxNode[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const node of nodes) {
    if (node.type !== 'VariableDeclarator') continue
    const id = child(node, 'id')
    const init = child(node, 'init')
    const name = nameOf(id)
    const value = variableOf(init, names)
    if (name !== undefined && value !== undefined) names.set(name, value)
    if (id?.type !== 'ObjectPattern' || !isToken(init)) continue
    for (const property of children(id, 'properties')) {
      const variable = keyword[nameOf(child(property, 'key')) ?? '']
      const local = nameOf(child(property, 'value'))
      if (variable !== undefined && local !== undefined) names.set(local, variable)
    }
  }
  return names
}

/** `$user.id` of `ctx.options.accessToken.userId`, or of a constant that is that. */
function variableOf (node: SyntaxNode | undefined, names: ReadonlyMap<string, string>): string | undefined {
  const name = nameOf(node)
  if (name !== undefined) return names.get(name)
  const member = memberName(node)
  return member !== undefined && isToken(child(node, 'object')) ? keyword[member] : undefined
}

/** `ctx.options.accessToken`, also with `?.`. */
const isToken = (node: SyntaxNode | undefined): boolean => memberName(node) === 'accessToken'

const isPattern = (property: SyntaxNode, nodes: readonly SyntaxNode[]): boolean =>
  nodes.some(node => node.type === 'ObjectPattern' && children(node, 'properties').includes(property))

/** Whether it is the query that is narrowed: `ctx.query.where = …`, `ctx.query = …`. */
const setsWhere = (nodes: readonly SyntaxNode[]): boolean => nodes.some(node => {
  const name = node.type === 'AssignmentExpression' ? memberName(child(node, 'left')) : undefined
  return name === 'where' || name === 'query'
})
