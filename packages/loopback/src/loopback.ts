/** `loopback()` and what hangs on it. */
import type { Application } from '@fastback/boot'
import { applications, type LoopbackOptions } from './applications.js'
import { boot } from './boot.js'
import { SecondBootError } from './errors.js'
import * as juggler from './juggler.js'
import { moduleNames } from './module-names.js'

/** Functions and classes that LoopBack's module has; models are those that applications share. */
export type Loopback = Application['loopback'] & {
  /** Makes an application. */
  (options?: LoopbackOptions): Application
  /** `loopback-boot` by its alias to this package. */
  (...args: Parameters<typeof boot>): ReturnType<typeof boot>
  readonly [name: string]: any
}

const { Connector, DataSource, DateString, Transaction } = juggler

/** What the module has and an application without it has not. */
const ofModule: object = { Connector, DataSource, DateString, Transaction }

/** What there is of a name: what applications put on the module (`loopback.myThing = …`) comes first. */
function descriptorOf (target: object, name: PropertyKey): PropertyDescriptor | undefined {
  const holder = [target, ofModule].find(each => Object.hasOwn(each, name)) ?? applications.loopback
  const descriptor = Object.getOwnPropertyDescriptor(holder, name)
  return descriptor === undefined || holder === target ? descriptor : { ...descriptor, configurable: true }
}

/** The module `loopback`: a function, whose properties are looked up when they are asked for. */
export function createLoopbackModule (): Loopback {
  // Both packages can be aliased to this one, which npm then resolves to this function.
  function createApplication (...args: [LoopbackOptions?] | Parameters<typeof boot>): unknown {
    if (applications.serverOf(args[0]) !== undefined) return boot(...args as Parameters<typeof boot>)
    if (moduleNames.hasForeignBoot) throw new SecondBootError()
    return applications.create(args[0] as LoopbackOptions | undefined)
  }
  const module = new Proxy(createApplication, {
    get (target, name) {
      const descriptor = descriptorOf(target, name)
      return descriptor === undefined
        ? Reflect.get(target, name)
        : descriptor.get === undefined ? descriptor.value : descriptor.get.call(module)
    },
    set: (target, name, value) =>
      Reflect.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true }),
    has: (target, name) => Reflect.has(target, name) || descriptorOf(target, name) !== undefined,
    getOwnPropertyDescriptor: descriptorOf,
    ownKeys: target =>
      [...new Set([target, ofModule, applications.loopback].flatMap(holder => Reflect.ownKeys(holder)))]
  }) as unknown as Loopback
  applications.module = module
  return module
}
