/** Types of properties that LoopBack's classes carry: `ModelBuilder.Text`, `DataSource.JSON`. */
import { Any, AnyJson, constructors, registerType, Text } from '@fastback/core/juggler'

export interface TypeStatics {
  readonly Text: Function
  readonly JSON: Function
  readonly Any: Function
  /** Constructors by name. */
  readonly schemaTypes: Readonly<Record<string, Function>>
  /** Makes a constructor known as a type of properties. */
  registerType (type: Function): void
}

export const types: TypeStatics = { Text, JSON: AnyJson, Any, schemaTypes: constructors, registerType }

/** A class that is made another way than it says, with statics of its own. */
export function substitute<T> (
  Class: Function, make: (...args: never[]) => object, statics: object
): T {
  return new Proxy(Class, {
    construct: (_target, args) => make(...args as never[]),
    apply: (_target, _this, args) => make(...args as never[]),
    get: (target, name) => Object.hasOwn(statics, name) ? Reflect.get(statics, name) : Reflect.get(target, name)
  }) as T
}
