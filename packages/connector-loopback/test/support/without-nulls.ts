/** Tables cannot tell null from a value that was never set: rows as the suite expects them of stores that can. */
import type { Connector, Row } from '@fastback/core'

function stripped (value: unknown): unknown {
  const strip = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([, each]) => each !== null))
  if (Array.isArray(value)) return value.map(stripped)
  if (value === null || typeof value !== 'object') return value
  if ('created' in value && 'row' in value) return { ...value, row: stripped(value.row) }
  return strip(value as Row)
}

const answers = ['create', 'createMany', 'find', 'findById', 'updateById', 'replaceById', 'findOrCreate']

export const withoutNulls = <T extends Connector>(connector: T): T => new Proxy(connector, {
  get (target, key) {
    const value: unknown = Reflect.get(target, key)
    if (typeof value !== 'function' || !answers.includes(String(key))) return value
    return async (...args: unknown[]) => stripped(await value.apply(target, args))
  }
})
