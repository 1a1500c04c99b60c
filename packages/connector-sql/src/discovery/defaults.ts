/** From the expression of a column's default to a value (discovery.md, DT-3). */

export interface FoundDefault { readonly default?: unknown, readonly defaultFn?: 'now', readonly byDatabase?: true }

/** @param type of the property: `number`, `boolean`, `date` … */
export function defaultFor (expression: string, type: unknown): FoundDefault {
  const bare = expression.trim().replace(/^\((.*)\)$/s, '$1')
  if (/^(?:now\(\)|current_timestamp(?:\(\d*\))?|localtimestamp(?:\(\d*\))?|transaction_timestamp\(\)|datetime\('now'\))(?:::[\w ()]+)?$/i.test(bare)) {
    return type === 'date' ? { defaultFn: 'now' } : { byDatabase: true }
  }
  const text = /^'((?:[^']|'')*)'(?:::[\w". ()[\]]+)?$/s.exec(bare)?.[1]?.replaceAll("''", "'")
  const number = /^\(?(-?\d+(?:\.\d+)?)\)?(?:::[\w ()]+)?$/.exec(bare)?.[1]
  if (type === 'boolean') {
    const word = (text ?? number ?? bare.replace(/::\w+$/, '')).toLowerCase().replace(/^b'([01])'?$/, '$1')
    if (/^(?:true|t|1)$/.test(word)) return { default: true }
    return /^(?:false|f|0)$/.test(word) ? { default: false } : { byDatabase: true }
  }
  if (type === 'number') {
    const value = Number(number ?? text)
    return (number ?? text) !== undefined && Number.isFinite(value) ? { default: value } : { byDatabase: true }
  }
  if (type === 'string' && (text ?? number) !== undefined) return { default: text ?? number }
  if ((type === 'object' || type === 'any') && text !== undefined) {
    try {
      return { default: JSON.parse(text) as unknown }
    } catch {
      // No JSON: the database knows what it means.
    }
  }
  return { byDatabase: true }
}
