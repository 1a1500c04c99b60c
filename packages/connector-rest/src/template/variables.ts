/** Variables in the texts of templates (service-connectors.md, SC-T2): `{name}`, `{!name=default:type}`. */

export interface Variable {
  readonly name: string
  readonly type: string
  /** As written; undefined without one. */
  readonly default: string | undefined
  readonly required: boolean
  /** `{+name}`: goes into a path as it is. */
  readonly raw: boolean
}

/** A piece of a text: what stands there, or a variable. */
export type Part = string | Variable

const head = /^([!^+]*)([A-Za-z_$][\w$]*)/

/**
 * Takes a text apart.
 *
 * ```js
 * partsOf('size {size=10:number}') // ['size ', { name: 'size', type: 'number', default: '10', … }]
 * ```
 */
export function partsOf (text: string): Part[] {
  const parts: Part[] = []
  let literal = ''
  let position = 0
  while (position < text.length) {
    const end = text[position] === '{' ? closingOf(text, position) : -1
    const variable = end < 0 ? undefined : variableOf(text.slice(position + 1, end))
    if (variable === undefined) {
      literal += text[position] as string
      position++
      continue
    }
    if (literal !== '') parts.push(literal)
    literal = ''
    parts.push(variable)
    position = end + 1
  }
  if (literal !== '') parts.push(literal)
  return parts
}

/** Where the brace at a position is closed; defaults may hold braces themselves. */
function closingOf (text: string, position: number): number {
  let depth = 0
  for (let i = position; i < text.length; i++) {
    if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i
  }
  return -1
}

/** What stands between braces, if it is a variable. */
function variableOf (inner: string): Variable | undefined {
  const [all = '', flags = '', name] = head.exec(inner) ?? []
  if (name === undefined) return undefined
  const rest = inner.slice(all.length)
  const [, type] = /:\s*([A-Za-z]+)\s*$/.exec(rest) ?? []
  const before = type === undefined ? rest : rest.slice(0, rest.lastIndexOf(':'))
  if (before !== '' && !before.startsWith('=')) return undefined
  return {
    name,
    type: type ?? 'string',
    default: before === '' ? undefined : before.slice(1),
    required: /[!^]/.test(flags),
    raw: flags.includes('+')
  }
}
