import { builtin } from '@fastback/auth/service'
import type { ModelClass, ModelInstance } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { compiledOf } from '@fastback/core/remote'

/** A static function with its two faces: a promise, or a trailing callback. */
export const statically = (work: (Model: ModelClass, values: readonly any[]) => unknown) =>
  builtin(function (this: ModelClass, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    return promiseOrCallback(async () => await work(this, values), callback, false, this.registry)
  })

/** The same for a function of instances. */
export const onInstance = (work: (instance: ModelInstance, Model: ModelClass, values: readonly any[]) => unknown) =>
  function (this: ModelInstance, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    const { Model } = compiledOf(this)
    return promiseOrCallback(async () => await work(this, Model, values), callback, false, Model.registry)
  }
