/**
 * `uniqueItems` of JSON Schema in one pass: Ajv compares each item of a list with each other one, which takes seconds
 * for what one request can send (security.md, S-163).
 */
import type { Ajv, ErrorObject, FuncKeywordDefinition } from 'ajv'

/**
 * A text that two values have in common which are the same: objects by their members whatever their order, dates and
 * bytes by what they hold.
 *
 * ```js
 * sameText({ a: 1, b: [2] }) === sameText({ b: [2], a: 1 }) // true
 * sameText(1) === sameText('1') // false
 * ```
 */
export function sameText (value: unknown): string {
  if (value === null || value === undefined) return 'null'
  switch (typeof value) {
    case 'string': return JSON.stringify(value)
    case 'number': return Object.is(value, -0) ? '0' : String(value)
    case 'bigint': return String(value)
    case 'object': return value instanceof Date
      ? `date ${String(value.getTime())}`
      : value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('base64')}` : ofMembers(value)
    default: return String(value as boolean)
  }
}

function ofMembers (value: object): string {
  if (Array.isArray(value)) return `[${value.map(sameText).join()}]`
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
    .map(([name, each]) => `${JSON.stringify(name)}:${sameText(each)}`)
  return `{${members.sort().join()}}`
}

/** The positions of two equal items, as Ajv tells them: the later one is `i`. */
function twice (items: readonly unknown[]): { readonly i: number, readonly j: number } | undefined {
  const seen = new Map<string, number>()
  for (const [i, item] of items.entries()) {
    const text = sameText(item)
    const j = seen.get(text)
    if (j !== undefined) return { i, j }
    seen.set(text, i)
  }
}

/** As Ajv calls it. */
interface Validate {
  (items: readonly unknown[]): boolean
  errors?: Array<Partial<ErrorObject>>
}

const validate: Validate = items => {
  const params = twice(items)
  if (params === undefined) return true
  validate.errors = [{
    keyword: 'uniqueItems',
    params,
    message: `must NOT have duplicate items (items ## ${String(params.j)} and ${String(params.i)} are identical)`
  }]
  return false
}

const definition: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile: (isUnique: boolean) => isUnique ? validate : () => true
}

/** Puts the keyword in the place of Ajv's own. */
export function installUniqueItems (ajv: Ajv): void {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword(definition)
}
