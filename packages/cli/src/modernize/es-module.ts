/** From a script of CommonJS to an ES module, by its syntax tree; all other bytes stay. */
import { existsSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { parse, type Node } from 'acorn'
import { applyEdits, type Edit } from 'jsonc-parser'
import { identifier, text as literal } from '../source-text.js'

/** The module; or why it has to be written by hand, and where. */
export type EsModule = { readonly text: string } | { readonly reason: string, readonly line: number }

interface Tree extends Node { readonly [key: string]: unknown }

class ByHand extends Error {
  constructor (readonly reason: string, readonly offset: number) { super(reason) }
}

/**
 * Rewrites a strict script that begins with its calls of `require` and exports one value. What else CommonJS has in it
 * (`exports.x`, `require` further down, `__dirname`) is left to a person.
 *
 * ```js
 * esModule('"use strict"; module.exports = Note => {}', file) // { text: 'export default Note => {}' }
 * ```
 * @param file absolute, where the module will be: relative imports are named with their extensions
 */
export function esModule (text: string, file: string): EsModule {
  try {
    const program = parse(text, { ecmaVersion: 'latest', sourceType: 'script', allowHashBang: true }) as unknown as Tree
    return { text: applyEdits(text, editsOf(program, text, file)) }
  } catch (error) {
    if (!(error instanceof ByHand)) return { reason: (error as Error).message, line: 1 }
    return { reason: error.reason, line: text.slice(0, error.offset).split('\n').length }
  }
}

function editsOf (program: Tree, text: string, file: string): Edit[] {
  const statements = treesOf(program.body)
  const strict = statements.find(({ directive }) => directive === 'use strict')
  const exported = statements.filter(each => assignsExports(each))
  if (strict === undefined) throw new ByHand('it is not strict: begin it with \'use strict\', and try it', 0)
  const [last, ...others] = exported
  if (last === undefined || others.length > 0) throw new ByHand('it has no single "module.exports = …"', others[0]?.start ?? 0)
  const edits: Edit[] = [removal(strict, text)]
  const done = new Set<Tree>([strict, last])
  let isHead = true
  for (const statement of statements) {
    if (statement === strict) continue
    const imports = isHead && statement.type === 'VariableDeclaration' ? importsOf(statement, text, file) : undefined
    if (imports === undefined) { isHead = false; continue }
    edits.push({ offset: statement.start, length: statement.end - statement.start, content: imports })
    done.add(statement)
  }
  const { right } = last.expression as { readonly right: Tree }
  edits.push({ offset: last.start, length: right.start - last.start, content: 'export default ' })
  // A declaration ends without a semicolon.
  if (/^Function/.test(right.type) && text.slice(right.end, last.end).trim() === ';') {
    edits.push({ offset: right.end, length: last.end - right.end, content: '' })
  }
  for (const statement of statements) {
    if (!done.has(statement) || statement === last) mustBePlain(statement === last ? right : statement)
  }
  return edits
}

/** A statement on lines of its own, with the empty line behind it. */
function removal ({ start, end }: Tree, text: string): Edit {
  const behind = /^[ \t]*(?:\r?\n){0,2}/.exec(text.slice(end))?.[0].length ?? 0
  return { offset: start, length: end - start + behind, content: '' }
}

const assignsExports = ({ type, expression }: Tree): boolean => {
  const { type: kind, left } = (expression ?? {}) as { readonly type?: string, readonly left?: Tree }
  return type === 'ExpressionStatement' && kind === 'AssignmentExpression' && left?.type === 'MemberExpression' &&
    nameOf(left.object) === 'module' && nameOf(left.property) === 'exports'
}

/** `const x = require('x')` as imports; undefined for what is something else. */
function importsOf ({ declarations }: Tree, text: string, file: string): string | undefined {
  const lines: string[] = []
  for (const { id, init } of declarations as ReadonlyArray<{ readonly id: Tree, readonly init: Tree | null }>) {
    const module = init === null ? undefined : requiredBy(init)
    if (module === undefined) return undefined
    if (/^(?:loopback|strong-remoting)(?:\/|$)/.test(module)) throw new ByHand(`it asks for "${module}"`, id.start)
    const from = literal(located(module, file, id.start))
    if (id.type === 'Identifier') lines.push(`import ${nameOf(id)} from ${from}`)
    else {
      const name = identifier(path.basename(module).replace(/^node:/, '').replace(/\.\w+$/, '') || 'module')
      lines.push(`import ${name}Module from ${from}`, `const ${text.slice(id.start, id.end)} = ${name}Module`)
    }
  }
  return lines.join('\n')
}

function requiredBy ({ type, callee, arguments: given }: Tree): string | undefined {
  const [module, ...others] = treesOf(given)
  const isRequire = type === 'CallExpression' && nameOf(callee) === 'require' && others.length === 0
  return isRequire && typeof module?.value === 'string' ? module.value : undefined
}

/** Imports of files name them whole. */
function located (module: string, file: string, offset: number): string {
  if (!module.startsWith('.')) return builtinModules.includes(module) ? `node:${module}` : module
  const target = path.resolve(path.dirname(file), module)
  const found = ['', '.js', '.cjs', '.mjs', '/index.js'].find(end => /\.[cm]?js$/.test(module + end) && existsSync(target + end))
  if (found === undefined) throw new ByHand(`"${module}" is no script that could be imported`, offset)
  return module + found
}

const commonJs = new Set(['require', 'module', 'exports', '__dirname', '__filename'])

/** @throws where something of CommonJS is left in it */
function mustBePlain (node: Tree): void {
  const left: Tree[] = [node]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    const name = nameOf(each)
    if (name !== undefined && commonJs.has(name)) throw new ByHand(`it uses "${name}" further down`, each.start)
    for (const [key, value] of Object.entries(each)) {
      // Names of members and keys are no variables.
      if ((key === 'property' || key === 'key') && each.computed !== true) continue
      if (Array.isArray(value)) left.push(...treesOf(value))
      else if (isTree(value)) left.push(value)
    }
  }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const treesOf = (value: unknown): Tree[] => Array.isArray(value) ? value.filter(isTree) : []

const nameOf = (node: unknown): string | undefined =>
  isTree(node) && node.type === 'Identifier' ? String(node.name) : undefined
