/** A file of code: its nodes, and what its names stand for. */
import {
  argumentsOf, below, calledMethod, child, children, isFunction, keyOf, memberName, nameOf, receiver, stringOf, valueOf,
  type SyntaxNode
} from './syntax.js'

/** What a name stands for where it is used. */
type Meaning =
  | { readonly kind: 'value', readonly node: SyntaxNode, readonly key?: string | undefined }
  | { readonly kind: 'import', readonly module: string }
  | { readonly kind: 'parameter', readonly of: SyntaxNode, readonly index: number }
  | { readonly kind: 'other' }

/** Of a model that is one, with a name that the file does not tell. */
export const someModel = '*'

const moduleServer = /^\.{1,2}\/(.*\/)?(server|app)(\/server)?(\.js)?$/

export interface ScriptRole {
  /** The model whose definition stands beside the file. */
  readonly model: string | undefined
  readonly isMixin: boolean
  /** Code of a browser: only uses of the REST API are of interest. */
  readonly isClient: boolean
}

/**
 * Names are followed within the file: `var Pet = app.models.Pet`, parameters of model scripts, imports. What another
 * file hands over stays unknown.
 */
export class Script {
  readonly #byType = new Map<string, SyntaxNode[]>()
  readonly #parents = new Map<SyntaxNode, SyntaxNode>()
  readonly #names = new Map<SyntaxNode, Map<string, Meaning>>()
  readonly #assigned = new Map<string, SyntaxNode>()

  constructor (
    readonly file: string, readonly text: string, readonly program: SyntaxNode, readonly role: ScriptRole
  ) {
    const waiting: SyntaxNode[] = [program]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const list = this.#byType.get(node.type)
      if (list === undefined) this.#byType.set(node.type, [node])
      else list.push(node)
      for (const each of below(node)) {
        this.#parents.set(each, node)
        waiting.push(each)
      }
      this.#declare(node)
    }
  }

  /** All nodes of a type, in the order of the text. */
  all (type: string): SyntaxNode[] {
    return (this.#byType.get(type) ?? []).sort((a, b) => a.start - b.start)
  }

  /** Calls of methods of these names. */
  calls (...methods: string[]): SyntaxNode[] {
    return this.all('CallExpression').filter(call => methods.includes(calledMethod(call) ?? ''))
  }

  /** What a node stands in; groups are looked through. */
  parent (node: SyntaxNode): SyntaxNode | undefined {
    const parent = this.#parents.get(node)
    return parent !== undefined && /^(Parenthesized|Chain|TSAs|TSNonNull)/.test(parent.type) ? this.parent(parent) : parent
  }

  source (node: SyntaxNode): string {
    return this.text.slice(node.start, node.end)
  }

  /** The value that a name was given; the node itself where it is no name, or nothing is known. */
  valueBehind (node: SyntaxNode): SyntaxNode {
    const meaning = this.#meaning(node)
    return meaning?.kind === 'value' && meaning.key === undefined && meaning.node !== node ? meaning.node : node
  }

  /** The module that a node is: `require('x')`, or a name for it. */
  moduleOf (node: SyntaxNode | undefined, depth = 0): string | undefined {
    if (node === undefined || depth > 9) return undefined
    if (node.type === 'CallExpression' && nameOf(child(node, 'callee')) === 'require') return stringOf(argumentsOf(node)[0])
    const meaning = this.#meaning(node)
    if (meaning?.kind === 'import') return meaning.module
    return meaning?.kind === 'value' && meaning.key === undefined ? this.moduleOf(meaning.node, depth + 1) : undefined
  }

  /** The name under which a module is at hand at the top of the file. */
  nameOfModule (module: string): string | undefined {
    for (const [name, meaning] of this.#names.get(this.program) ?? []) {
      if (meaning.kind === 'import' && meaning.module === module) return name
      if (meaning.kind === 'value' && meaning.key === undefined && this.moduleOf(meaning.node) === module) return name
    }
    return undefined
  }

  /** Whether a node is the framework: what `require('loopback')` gives. */
  isLoopback (node: SyntaxNode | undefined): boolean {
    return this.moduleOf(node) === 'loopback' || (memberName(node) === 'loopback' && this.isApp(child(node, 'object')))
  }

  /** Whether a node is the application. */
  isApp (node: SyntaxNode | undefined, depth = 0): boolean {
    if (node === undefined || depth > 9) return false
    if (memberName(node) === 'app') return true
    if (node.type === 'CallExpression' && this.isLoopback(child(node, 'callee'))) return true
    if (moduleServer.test(this.moduleOf(node) ?? '')) return true
    const meaning = this.#meaning(node)
    if (meaning?.kind === 'parameter') {
      return (meaning.index === 0 && /(^|\/)boot\//.test(this.file) && this.#isExported(meaning.of)) || nameOf(node) === 'app'
    }
    if (meaning?.kind === 'value' && meaning.key === undefined && meaning.node !== node) return this.isApp(meaning.node, depth + 1)
    return meaning === undefined && nameOf(node) === 'app'
  }

  /** The name of the model that a node is, `*` for one without a known name, undefined for what is none. */
  modelOf (node: SyntaxNode | undefined, depth = 0): string | undefined {
    if (node === undefined || depth > 9) return undefined
    const object = child(node, 'object')
    if (node.type === 'MemberExpression') {
      if (memberName(object) === 'models' || this.#isModels(object)) return memberName(node) ?? someModel
      const name = memberName(node) ?? ''
      if (this.isLoopback(object) && /^[A-Z]/.test(name)) return name
      return /^(ctx|context)$/.test(nameOf(object) ?? '') && name === 'Model' ? someModel : undefined
    }
    if (/^(getModel|findModel|model)$/.test(calledMethod(node) ?? '')) {
      const on = receiver(node)
      const findsModel = this.isLoopback(on) || this.isApp(on) || calledMethod(node) === 'getModel'
      return findsModel ? stringOf(argumentsOf(node)[0]) : undefined
    }
    const meaning = this.#meaning(node)
    if (meaning?.kind === 'parameter') {
      const isGiven = meaning.index === 0 && this.#isExported(meaning.of)
      return isGiven ? this.role.model ?? (this.role.isMixin ? someModel : undefined) : undefined
    }
    if (meaning?.kind !== 'value' || meaning.node === node) return undefined
    if (meaning.key === undefined) return this.modelOf(meaning.node, depth + 1)
    return memberName(meaning.node) === 'models' ? meaning.key : undefined
  }

  /** `var models = app.models`. */
  #isModels (node: SyntaxNode | undefined): boolean {
    return node !== undefined && memberName(this.valueBehind(node)) === 'models'
  }

  /** Whether a function is what the file exports. */
  #isExported (fn: SyntaxNode): boolean {
    const parent = this.parent(fn)
    if (parent?.type === 'ExportDefaultDeclaration') return true
    if (parent?.type === 'AssignmentExpression') return isModuleExports(child(parent, 'left')) || this.#isExportedBy(parent)
    const name = nameOf(child(fn, 'id')) ?? nameOf(child(parent, 'id'))
    return name !== undefined && this.all('AssignmentExpression').some(each =>
      isModuleExports(child(each, 'left')) && nameOf(child(each, 'right')) === name)
  }

  /** `exports = module.exports = function …` */
  #isExportedBy (assignment: SyntaxNode): boolean {
    const outer = this.parent(assignment)
    return outer?.type === 'AssignmentExpression' && isModuleExports(child(outer, 'left'))
  }

  #meaning (node: SyntaxNode | undefined): Meaning | undefined {
    const name = nameOf(node)
    if (node === undefined || name === undefined) return undefined
    for (let scope: SyntaxNode | undefined = node; scope !== undefined; scope = this.#parents.get(scope)) {
      const meaning = this.#names.get(scope)?.get(name)
      if (meaning === undefined) continue
      const later = meaning.kind === 'other' ? this.#assigned.get(name) : undefined
      return later === undefined ? meaning : { kind: 'value', node: later }
    }
    return undefined
  }

  #declare (node: SyntaxNode): void {
    if (isFunction(node)) {
      children(node, 'params').forEach((param, index) => {
        const name = nameOf(param) ?? nameOf(child(param, 'left'))
        if (name !== undefined) this.#add(node, name, { kind: 'parameter', of: node, index })
      })
      const name = nameOf(child(node, 'id'))
      if (node.type === 'FunctionDeclaration' && name !== undefined) {
        this.#add(this.#scopeAround(node), name, { kind: 'value', node })
      }
    } else if (node.type === 'VariableDeclarator') this.#declareVariable(node)
    else if (node.type === 'ImportDeclaration') {
      const module = stringOf(child(node, 'source')) ?? ''
      for (const each of children(node, 'specifiers')) {
        const name = nameOf(child(each, 'local'))
        const isWhole = each.type !== 'ImportSpecifier' || nameOf(child(each, 'imported')) === 'default'
        if (name !== undefined) this.#add(this.program, name, isWhole ? { kind: 'import', module } : { kind: 'other' })
      }
    } else if (node.type === 'AssignmentExpression') {
      const name = nameOf(child(node, 'left'))
      const right = child(node, 'right')
      if (name !== undefined && right !== undefined && !this.#assigned.has(name)) this.#assigned.set(name, right)
    }
  }

  #declareVariable (node: SyntaxNode): void {
    const id = child(node, 'id')
    const value = assigned(child(node, 'init'))
    const scope = this.#scopeAround(node)
    const name = nameOf(id)
    if (name !== undefined) this.#add(scope, name, value === undefined ? { kind: 'other' } : { kind: 'value', node: value })
    for (const property of id?.type === 'ObjectPattern' ? children(id, 'properties') : []) {
      const local = nameOf(child(property, 'value'))
      if (local !== undefined) {
        this.#add(scope, local, value === undefined ? { kind: 'other' } : { kind: 'value', node: value, key: keyOf(property) ?? '' })
      }
    }
  }

  #scopeAround (node: SyntaxNode): SyntaxNode {
    for (let scope = this.#parents.get(node); scope !== undefined; scope = this.#parents.get(scope)) {
      if (isFunction(scope)) return scope
    }
    return this.program
  }

  #add (scope: SyntaxNode, name: string, meaning: Meaning): void {
    const names = this.#names.get(scope) ?? new Map<string, Meaning>()
    this.#names.set(scope, names)
    if (!names.has(name)) names.set(name, meaning)
  }
}

/** `var app = module.exports = loopback()`: what is assigned in the end. */
const assigned = (node: SyntaxNode | undefined): SyntaxNode | undefined =>
  node?.type === 'AssignmentExpression' ? assigned(child(node, 'right')) : node

const isModuleExports = (node: SyntaxNode | undefined): boolean =>
  memberName(node) === 'exports' && nameOf(child(node, 'object')) === 'module'

/** A member of an object literal, or of the one that a name stands for. */
export const member = (script: Script, object: SyntaxNode | undefined, name: string): SyntaxNode | undefined =>
  object === undefined ? undefined : valueOf(script.valueBehind(object), name)
