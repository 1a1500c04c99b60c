/** `loopback()` and what hangs on it. */
import type { Application } from '@fastback/boot'
import { applications } from './applications.js'
import { boot } from './boot.js'
import { SecondBootError } from './errors.js'
import { moduleNames } from './module-names.js'

/** Functions and classes that LoopBack's module has; all of them are those of the current application. */
export type Loopback = Application['loopback'] & {
  /** Makes an application. */
  (options?: LoopbackOptions): Application
  /** `loopback-boot` by its alias to this package. */
  (...args: Parameters<typeof boot>): ReturnType<typeof boot>
  readonly [name: string]: any
}

export interface LoopbackOptions {
  /** LoopBack: a registry of its own. Here every application has one. */
  readonly localRegistry?: boolean
  /** LoopBack: whether the registry has the built-in models. Here they are defined when they are first asked for. */
  readonly loadBuiltinModels?: boolean
}

/** The module `loopback`: a function, whose properties are looked up in the current application. */
export function createLoopbackModule (): Loopback {
  // Both packages can be aliased to this one, which npm then resolves to this function.
  const make = (...args: [LoopbackOptions?] | Parameters<typeof boot>): unknown => {
    if (applications.serverOf(args[0]) !== undefined) return boot(...args as Parameters<typeof boot>)
    if (moduleNames.hasForeignBoot) throw new SecondBootError()
    return applications.create()
  }
  const own = new Set<PropertyKey>(['length', 'name', 'prototype', 'arguments', 'caller'])
  // What applications put on the module (`loopback.myThing = …`) stays there.
  return new Proxy(make, {
    get (target, name, receiver) {
      if (Object.hasOwn(target, name) && !own.has(name)) return Reflect.get(target, name, receiver)
      const { loopback } = applications.current
      return name in loopback ? loopback[name as keyof typeof loopback] : Reflect.get(target, name, receiver)
    },
    has: (target, name) => Reflect.has(target, name) || name in applications.current.loopback
  }) as unknown as Loopback
}
