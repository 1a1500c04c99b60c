/** Calls of a legacy connector's methods, which answer by callback. */
import { MissingMethodError } from './errors.js'
import type { LegacyConnector } from './legacy/connector.js'

type Method = (this: unknown, ...args: unknown[]) => unknown

/** A method of the connector; undefined where it has none (`false` switches one off). */
export function methodOf (connector: LegacyConnector, name: string): Method | undefined {
  const method = connector[name]
  return typeof method === 'function' ? method as Method : undefined
}

/**
 * Whether a method takes options before its callback; older ones do not. A method with `...args` takes what comes.
 * @param values how many arguments stand before the options
 */
export function takesOptions (connector: LegacyConnector, name: string, values: number): boolean {
  const method = methodOf(connector, name)
  return method !== undefined && method.length !== values + 1
}

/** Calls a method that is there with options where it takes them. The first result of its callback. */
export async function call (
  connector: LegacyConnector,
  name: string,
  values: readonly unknown[],
  options: object
): Promise<unknown> {
  return await callWith(connector, name, takesOptions(connector, name, values.length) ? [...values, options] : values)
}

/**
 * Calls a method with arguments and a callback. A promise that it returns instead counts as well.
 * @throws FBK_CONNECTOR_MISSING_METHOD
 */
export async function callWith (
  connector: LegacyConnector,
  name: string,
  values: readonly unknown[]
): Promise<unknown> {
  const method = methodOf(connector, name)
  if (method === undefined) throw new MissingMethodError(String(connector.name), name)
  return await new Promise((resolve, reject) => {
    const returned = method.call(connector, ...values, (error: unknown, result: unknown) => {
      if (error === undefined || error === null || error === false) resolve(result)
      else reject(error)
    })
    if (returned instanceof Promise) returned.then(resolve, reject)
  })
}
