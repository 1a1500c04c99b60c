/** Which method does what (SO-M1, SO-M2). */
import type { MappedOperation } from './settings.js'
import type { Operation } from './wsdl/operations.js'

export interface NamedOperations {
  readonly methods: ReadonlyMap<string, Operation>
  /** Keys of `operations` that name nothing. */
  readonly unknown: readonly string[]
}

/**
 * ```js
 * nameOperations(operations, { price: { service: 'Stock', port: 'StockSoap', operation: 'GetPrice' } }, false)
 * // methods: price, ListQuotes, …
 * ```
 */
export function nameOperations (
  operations: readonly Operation[], mapped: Readonly<Record<string, MappedOperation>>, onlyMapped: boolean
): NamedOperations {
  const methods = new Map<string, Operation>()
  const isMapped = new Set<Operation>()
  const unknown: string[] = []
  for (const [name, { service, port, operation = name }] of Object.entries(mapped)) {
    const found = operations.find(each => each.service === service && each.port === port && each.name === operation)
    if (found === undefined) {
      unknown.push(name)
      continue
    }
    methods.set(name, found)
    isMapped.add(found)
  }
  for (const each of onlyMapped ? [] : operations) {
    if (!isMapped.has(each)) methods.set(methods.has(each.name) ? longName(each) : each.name, each)
  }
  return { methods, unknown }
}

/** Of an operation whose own name is taken. */
export const longName = ({ service, port, name }: Operation): string => `${service}_${port}_${name}`
