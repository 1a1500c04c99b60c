/** `dataSource.operations()`: what models get from a data source, as LoopBack's juggler lists it. */
import type { ModelClass } from '../interfaces/model-class.js'
import type { DataSourceOperation } from '../interfaces/data-source.js'
import type { RemoteMethodOptions } from '../interfaces/shared-method.js'
import { builtinMethods } from '../remoting/builtin-methods.js'

/**
 * The functions of connected models by name, those of instances after those of classes.
 * @param Base the model whose functions they are, `PersistedModel`
 * @param unshared operations that `disableRemote` named
 */
export function operationsOf (Base: ModelClass, unshared: ReadonlySet<string>): Record<string, DataSourceOperation> {
  const shared = new Map<string, RemoteMethodOptions>()
  const methods = builtinMethods(Base.modelName, true, {
    aggregates: false, bulk: false, softDelete: false, history: false, live: false
  })
  for (const [fullName, method] of Object.entries(methods)) {
    if (method.shared === false) continue
    const prefix = fullName.startsWith('prototype.') ? 'prototype.' : ''
    for (const name of [fullName, ...method.aliases.map(alias => prefix + alias)]) shared.set(name, method)
  }
  const operations: Record<string, DataSourceOperation> = {}
  const add = (scope: object, prefix: string): void => {
    for (const [name, { value: fn }] of Object.entries(Object.getOwnPropertyDescriptors(scope))) {
      if (typeof fn !== 'function' || name === 'constructor' || name.startsWith('_')) continue
      const { accepts, returns, http } = shared.get(prefix + name) ?? {}
      const isUnshared = unshared.has(name) || unshared.has(prefix + name)
      operations[name] = {
        name,
        fnName: name,
        ...(prefix === '' ? {} : { prototype: true }),
        enabled: true,
        remoteEnabled: shared.has(prefix + name) && !isUnshared,
        accepts,
        returns,
        http,
        scope,
        fn: fn as () => unknown
      }
    }
  }
  add(Base, '')
  add(Base.prototype as object, 'prototype.')
  return operations
}
