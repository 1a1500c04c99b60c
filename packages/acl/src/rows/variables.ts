/** Variables of conditions and values in rules: `$user.id`, `$token.ttl`, `$roles`, `$client.id`, `$now-30d`. */

/** What a rule leaves for the request to say. */
export type Variable =
  | { readonly of: 'user' | 'token', readonly property: string }
  | { readonly of: 'client' | 'roles' }
  | { readonly of: 'now', readonly milliseconds: number }

const units: Readonly<Record<string, number>> = {
  s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000
}

const names = ['$user', '$token', '$roles', '$client', '$now'] as const

/** Whether a value is written as a variable. `$5` and `$` are texts, and `$$user.id` is the text `$user.id`. */
const isVariable = (value: string): boolean => /^\$[A-Za-z]/.test(value)

/** What a value says: a variable, a fault, or the value that it stands for. */
export type Written = { readonly variable: Variable } | { readonly fault: string } | { readonly value: unknown }

/**
 * Reads a value of a rule.
 *
 * ```js
 * readVariable('$user.id') // { variable: { of: 'user', property: 'id' } }
 * readVariable('$$x') // { value: '$x' }
 * ```
 */
export function readVariable (written: unknown): Written {
  if (typeof written !== 'string') return { value: written }
  if (written.startsWith('$$')) return { value: written.slice(1) }
  if (!isVariable(written)) return { value: written }
  const [, of, property] = /^\$(user|token)\.([A-Za-z_]\w*)$/.exec(written) ?? []
  if (property !== undefined) return { variable: { of: of as 'user' | 'token', property } }
  if (written === '$roles') return { variable: { of: 'roles' } }
  if (written === '$client.id') return { variable: { of: 'client' } }
  if (written === '$now') return { variable: { of: 'now', milliseconds: 0 } }
  const [, sign, count, unit] = /^\$now([+-])(\d{1,6})([smhdw])$/.exec(written) ?? []
  if (unit !== undefined) {
    return { variable: { of: 'now', milliseconds: Number(`${sign as string}${count as string}`) * (units[unit] as number) } }
  }
  const list = `${names.map(name => `"${name}${name === '$user' || name === '$token' ? '.…' : name === '$client' ? '.id' : ''}"`).join(', ')}`
  return { fault: `"${written}" is no variable: there are ${list}; "$$" begins a text with a dollar sign.` }
}

/**
 * A variable as it is written.
 *
 * ```js
 * nameOf({ of: 'user', property: 'id' }) // '$user.id'
 * ```
 */
export function nameOf (variable: Variable): string {
  switch (variable.of) {
    case 'user': case 'token': return `$${variable.of}.${variable.property}`
    case 'client': return '$client.id'
    case 'roles': return '$roles'
    case 'now': return nameOfInstant(variable.milliseconds)
  }
}

/** In the greatest unit that it is a multiple of. */
function nameOfInstant (milliseconds: number): string {
  if (milliseconds === 0) return '$now'
  const [unit, length] = Object.entries(units).reverse().find(([, length]) => milliseconds % length === 0) ?? ['s', 1000]
  return `$now${milliseconds < 0 ? '-' : '+'}${Math.abs(milliseconds) / length}${unit}`
}

/** Where the values of variables come from, for one request. */
export type ValueOf = (variable: Variable) => unknown

type Scalar = string | number | bigint | boolean | Date

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (value instanceof Date && !Number.isNaN(value.getTime()))

/** Ids of MongoDB and the like say themselves what they are as a text. */
const plain = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && '_bsontype' in value ? String(value) : value

/**
 * A value as one that is compared: what is no scalar is no value, so that nothing that a user may write becomes an
 * operator.
 */
export function scalarOf (value: unknown): Scalar | undefined {
  const simple = plain(value)
  return isScalar(simple) ? simple : undefined
}

/** The same for a list; a single value is a list of one. */
export function scalarsOf (value: unknown): Scalar[] | undefined {
  if (!Array.isArray(value)) {
    const one = scalarOf(value)
    return one === undefined ? undefined : [one]
  }
  return Array.from(value as unknown[], scalarOf).filter(each => each !== undefined)
}
