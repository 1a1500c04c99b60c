/** `instance.id` is the id whatever its property is called, as code of LoopBack applications reads it. */
import type { CompiledModel } from '../interfaces/compiled-model.js'

/** Only for models whose id has another name: all others are spared an accessor. */
export function aliasId ({ Model, id, propertyByName }: CompiledModel): void {
  if (id === undefined || id.name === 'id' || propertyByName.has('id')) return
  const { name } = id
  Object.defineProperty(Model.prototype, 'id', {
    get (this: Record<string, unknown>) { return this[name] },
    // Models that extend this one may have a property `id`.
    set (this: object, value: unknown) {
      Object.defineProperty(this, 'id', { value, enumerable: true, configurable: true, writable: true })
    },
    enumerable: false,
    configurable: true
  })
}
