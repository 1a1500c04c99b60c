/** Sets one value in a text of JSON, and leaves every other byte: comments, order, formatting (generators.md, GE-7). */
import { applyEdits, findNodeAtLocation, modify, parseTree, type Edit, type JSONPath, type Node } from 'jsonc-parser'

/**
 * @param text JSON, with comments or without; it has to be valid
 * @param at keys and positions; -1 as the last one appends to a list
 * @param value undefined takes the key away
 */
export function setInJson (text: string, at: JSONPath, value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (root === undefined) return text
  const found = at.at(-1) === -1 ? undefined : findNodeAtLocation(root, at)
  if (value === undefined) return found === undefined ? text : applyEdits(text, modify(text, at, undefined, {}))
  if (found !== undefined) {
    const content = pretty(value, styleOf(text), indentAt(text, found.offset))
    return applyEdits(text, [{ offset: found.offset, length: found.length, content }])
  }
  let depth = at.length - 1
  while (findNodeAtLocation(root, at.slice(0, depth)) === undefined) depth--
  const parent = findNodeAtLocation(root, at.slice(0, depth)) as Node
  const inner = at.slice(depth + 1).reduceRight((held, key) => typeof key === 'number' ? [held] : { [key]: held }, value)
  const key = at[depth] as string | number
  return applyEdits(text, insertion(text, parent, typeof key === 'string' ? key : undefined, inner))
}

interface Style { readonly unit: string, readonly eol: string }

const styleOf = (text: string): Style =>
  ({ unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' })

/** A new member behind the last one, on a line of its own unless all stand on one line. */
function insertion (text: string, parent: Node, key: string | undefined, value: unknown): Edit[] {
  const style = styleOf(text)
  const { unit, eol } = style
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  const end = parent.offset + parent.length - 1
  const last = parent.children?.at(-1)
  const outer = indentAt(text, parent.offset)
  if (last === undefined) {
    const content = `${eol}${outer}${unit}${name}${pretty(value, style, outer + unit)}${eol}${outer}`
    return [{ offset: parent.offset + 1, length: text.slice(parent.offset + 1, end).trimEnd() === '' ? end - parent.offset - 1 : 0, content }]
  }
  const behind = last.offset + last.length
  const comma = /^\s*,/.test(text.slice(behind, end)) ? '' : ','
  if (!text.slice(parent.offset, end).includes('\n')) {
    const content = `${comma} ${name}${JSON.stringify(value)}`
    return [{ offset: behind, length: 0, content }]
  }
  const indent = indentAt(text, last.offset)
  const content = `${eol}${indent}${name}${pretty(value, style, indent)}`
  // A comment behind the last member stays with it.
  const line = text.slice(behind, end).search(/\r?\n/)
  return [
    { offset: behind, length: 0, content: comma },
    { offset: behind + Math.max(line, 0), length: 0, content }
  ]
}

/** The blanks at the beginning of the line that a place is on. */
function indentAt (text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

const pretty = (value: unknown, { unit, eol }: Style, indent: string): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)

/**
 * Sets one key of the outermost object before another one.
 * @param text JSON, with comments or without; it has to be valid
 * @param before undefined or not there: behind the last
 */
export function insertInJson (text: string, key: string, value: unknown, before: string | undefined): string {
  const { unit, eol } = styleOf(text)
  return applyEdits(text, modify(text, [key], value, {
    formattingOptions: { insertSpaces: unit !== '\t', tabSize: unit === '\t' ? 1 : unit.length, eol },
    getInsertionIndex: keys => before === undefined || !keys.includes(before) ? keys.length : keys.indexOf(before)
  }))
}
