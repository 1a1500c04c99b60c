/** Values and calls as code: on one line where that has room, else on several. */
import { key, text } from '../../source-text.js'

/** A piece of code. */
export interface Code {
  /** On one line. */
  readonly line: string
  /** On several, the later ones behind an indentation. Undefined: it has one line only. */
  readonly lines?: ((indent: string) => string) | undefined
  /** On several whatever room there is. */
  readonly isOpened?: boolean | undefined
}

/** Columns that a line may have. */
const width = 110

/**
 * The code at a place.
 * @param before what stands on the line before it, with the indentation
 */
export function indentedCode ({ line, lines, isOpened = false }: Code, indent: string, before: number): string {
  const hasRoom = !isOpened && before + line.length <= width
  return lines === undefined || hasRoom ? line : lines(indent)
}

export const plain = (line: string): Code => ({ line })

/** Without a name: a method, as `async run () { … }`. */
type Member = readonly [name: string | undefined, value: Code]

const list = (open: string, close: string, members: readonly Member[], isOpened: boolean): Code => {
  const named = members.map(([name, value]) => [name === undefined ? '' : `${keyOf(name)}: `, value] as const)
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${named.map(([name, value]) => name + value.line).join(', ')}${space}${close}`
  if (members.length === 0) return plain(open + close)
  const lines = (indent: string): string => {
    const inner = `${indent}  `
    const each = named.map(([name, value]) => inner + name + indentedCode(value, inner, inner.length + name.length + 1))
    return `${open}\n${each.join(',\n')}\n${indent}${close}`
  }
  return { line, lines, isOpened: isOpened || members.some(([, value]) => value.isOpened) }
}

/** As a plain key this one would set the prototype. */
const keyOf = (name: string): string => name === '__proto__' ? "['__proto__']" : key(name)

/** `{ a: 1 }`. @param isOpened a line for each member whatever they need */
export const objectCode = (members: readonly Member[], isOpened = false): Code =>
  list('{', '}', members, isOpened)

/** `Type.String({ … })`; of several arguments the last but one or the last may have several lines. */
export function call (name: string, ...args: readonly Code[]): Code {
  const line = `${name}(${args.map(each => each.line).join(', ')})`
  if (args.every(each => each.lines === undefined)) return plain(line)
  return {
    line,
    isOpened: args.some(each => each.isOpened),
    lines: indent => `${name}(${args.map(each => each.lines === undefined ? each.line : each.lines(indent)).join(', ')})`
  }
}

/** A value of JSON. */
export function valueCode (value: unknown, isOpened = false): Code {
  if (typeof value === 'string') return plain(text(value))
  if (typeof value !== 'object' || value === null) return plain(JSON.stringify(value))
  if (Array.isArray(value)) return list('[', ']', value.map(each => [undefined, valueCode(each)]), isOpened)
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return objectCode(members.map(([name, each]) => [name, valueCode(each)]), isOpened)
}
