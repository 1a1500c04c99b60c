/** Adds a function to the script of a model: by its syntax tree, and every other byte stays (generators.md, GE-E1). */
import { parse, type Node, type Program } from 'acorn'
import { identifier, json, key, lineComments, text } from '../source-text.js'

/** A method that a script shall have. */
export interface MethodStub {
  readonly model: string
  /** As in the definition: `close`, `prototype.close`. */
  readonly name: string
  /** Names of its arguments. */
  readonly parameters: readonly string[]
  /** What the comment above it says. Default: none. */
  readonly about?: string | undefined
}

interface Style { readonly indent: string, readonly semicolon: string, readonly quote: string, readonly eol: string }

/**
 * The text with the function at the end of the exported one; undefined where no function that takes the model is
 * exported, or the text cannot be read. A method that the script has is left alone.
 */
export function withMethod (script: string, stub: MethodStub): string | undefined {
  const program = programOf(script)
  const found = program === undefined ? undefined : exportedFunction(program)
  if (found === undefined) return undefined
  const { body, parameter } = found
  const target = memberOf(parameter, stub.name)
  if (assigns(body, target, script)) return script
  const style = styleOf(script)
  const { eol } = style
  const begin = script.lastIndexOf('\n', body.start) + 1
  const outer = /^[ \t]*/.exec(script.slice(begin))?.[0] ?? ''
  const inside = script.slice(body.start + 1, body.end - 1)
  const kept = inside.trimEnd()
  const lines = methodLines(stub, target, style).map(line => line === '' ? '' : `${outer}${style.indent}${line}`)
  const space = kept === '' ? eol : `${eol}${eol}`
  return script.slice(0, body.start + 1) + kept + space + lines.join(eol) + eol + outer + script.slice(body.end - 1)
}

/** The function alone, for scripts that cannot be edited. */
export function methodText (stub: MethodStub): string {
  const target = memberOf(identifier(stub.model), stub.name)
  return methodLines(stub, target, { indent: '  ', semicolon: '', quote: '\'', eol: '\n' }).join('\n')
}

/** An asynchronous function that says of itself that nobody has written it: 501. */
function methodLines (
  { model, name, parameters, about }: MethodStub, target: string, { indent, semicolon, quote }: Style
): string[] {
  const says = `${model}.${name} is not written yet.`
  const message = quote === '"' ? json(says) : text(says)
  return [
    ...(about === undefined ? [] : lineComments(about)),
    `${target} = async function (${namesOf(parameters).join(', ')}) {`,
    `${indent}throw Object.assign(new Error(${message}), { statusCode: 501, code: ${quote}NOT_IMPLEMENTED${quote} })${semicolon}`,
    `}${semicolon}`
  ]
}

/** `Coffee.prototype.brew`. */
function memberOf (holder: string, name: string): string {
  const [, prototype = '', own = name] = /^(prototype\.)?(.*)$/s.exec(name) ?? []
  const of = prototype === '' ? holder : `${holder}.prototype`
  return key(own) === own ? `${of}.${own}` : `${of}[${text(own)}]`
}

/** Names that JavaScript takes, each once: `x-limit` is `xLimit`, `default` is `default_`. */
function namesOf (parameters: readonly string[]): string[] {
  const names: string[] = []
  for (const parameter of parameters) {
    const name = identifier(parameter)
    names.push(names.includes(name) ? `${name}${names.length + 1}` : name)
  }
  return names
}

function programOf (text: string): Program | undefined {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true })
    } catch {
      // The other kind may do; what is neither is not edited.
    }
  }
}

/** Of the tree, what is looked at. */
interface Tree extends Node {
  readonly body?: Tree | readonly Tree[]
  readonly declaration?: Tree
  readonly expression?: Tree
  readonly left?: Tree
  readonly right?: Tree
  readonly params?: readonly Tree[]
  readonly id?: Tree | null
  readonly init?: Tree | null
  readonly declarations?: readonly Tree[]
  readonly name?: string
  readonly object?: Tree
  readonly property?: Tree
}

interface Exported { readonly body: Tree, readonly parameter: string }

function exportedFunction (program: Program): Exported | undefined {
  const statements = program.body as unknown as readonly Tree[]
  for (const { type, declaration, expression } of statements) {
    const value = type === 'ExportDefaultDeclaration'
      ? declaration
      : expression?.type === 'AssignmentExpression' && isModuleExports(expression.left) ? expression.right : undefined
    const found = value === undefined ? undefined : asFunction(value, statements)
    if (found !== undefined) return found
  }
}

/** `module.exports`, and `exports = module.exports`. */
const isModuleExports = (left: Tree | undefined): boolean => left?.type === 'MemberExpression' &&
  left.object?.name === 'module' && left.property?.name === 'exports'

/** The function that an expression is, or names. */
function asFunction (value: Tree, statements: readonly Tree[]): Exported | undefined {
  if (value.type === 'Identifier') {
    const declared = statements.flatMap(each => each.type === 'FunctionDeclaration' && each.id?.name === value.name
      ? [each]
      : (each.declarations ?? []).flatMap(({ id, init }) =>
          id?.name === value.name && init?.type !== 'Identifier' ? init ?? [] : []))
    return declared[0] === undefined ? undefined : asFunction(declared[0], statements)
  }
  const { body, params = [] } = value
  const parameter = params[0]?.name
  if (parameter === undefined || body === undefined || !('type' in body) || body.type !== 'BlockStatement') return undefined
  return { body, parameter }
}

/** Whether a function has the method already. */
const assigns = ({ body }: Tree, target: string, text: string): boolean =>
  (body as readonly Tree[]).some(({ expression }) =>
    expression?.type === 'AssignmentExpression' && expression.left !== undefined &&
      text.slice(expression.left.start, expression.left.end).replace(/\s+/g, '') === target)

/** How the script is written: two blanks and single quotes where it does not say. */
function styleOf (text: string): Style {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  return {
    indent: /^([ \t]+)[^\s*]/m.exec(text)?.[1] ?? '  ',
    semicolon: count(/;[ \t]*(\/\/.*)?$/gm) > 0 ? ';' : '',
    quote: count(/"/g) > count(/'/g) ? '"' : '\'',
    eol: text.includes('\r\n') ? '\r\n' : '\n'
  }
}
