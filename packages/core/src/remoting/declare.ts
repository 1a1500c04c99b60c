/** Declaring what of a model is shared: `remoteMethod`, `disableRemoteMethodByName`, remote hooks, `nestRemoting`. */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { RemoteHook, RemoteHookMoment } from '../interfaces/model-state.js'
import type { NestOptions } from '../interfaces/relation.js'
import type { RemoteMethodOptions } from '../interfaces/shared-method.js'

function remoteMethod (this: ModelClass, name: string, options: RemoteMethodOptions = {}): void {
  if (typeof name !== 'string' || name === '') {
    throw new InvalidDefinitionError(`model "${this.modelName}"`, 'a remote method needs a name')
  }
  const { isStatic, ...rest } = options as RemoteMethodOptions & { isStatic?: boolean }
  // Specification, Versioning 6: the prefix alone tells instance methods.
  if (isStatic === true && name.startsWith('prototype.')) {
    throw new InvalidDefinitionError(
      `Remoting metadata for ${this.modelName}.${name}`, '"isStatic" does not match new method name-based style.'
    )
  }
  if (isStatic === false && !name.startsWith('prototype.')) {
    this.registry.log.warn(
      { model: this.modelName, method: name },
      `The remote method "${name}" of model "${this.modelName}" is static: "isStatic" says nothing any more; declare "prototype.${name}" for a method of instances`
    )
  }
  this.state.remoteMethods.set(name, rest)
  this.state.disabledMethods.delete(name)
  this.state.invalidate()
  this.state.events.emit('remoteMethodAdded', this.sharedClass)
}

function disableRemoteMethodByName (this: ModelClass, name: string): void {
  this.state.disabledMethods.add(name)
  this.state.invalidate()
  this.state.events.emit('remoteMethodDisabled', this.sharedClass, name)
}

/** The 2.x form: `isStatic` tells whether the name is that of a static method. */
function disableRemoteMethod (this: ModelClass, name: string, isStatic = true): void {
  disableRemoteMethodByName.call(this, isStatic ? name : `prototype.${name}`)
}

const hook = (moment: RemoteHookMoment) =>
  function (this: ModelClass, pattern: string, listener: RemoteHook['listener']): void {
    this.state.remoteHooks.push({ moment, pattern, listener, isOfApplication: true })
    this.state.invalidate()
  }

type NestFilter = NonNullable<NestOptions['filterMethod']>

/** Gives the rows of a relation endpoints of their own relations: `/Authors/:id/books/:nk/pages`. */
function nestRemoting (
  this: ModelClass,
  relation: string,
  options: Record<string, unknown> | NestFilter = {},
  filterMethod?: NestFilter
): void {
  if (typeof options === 'function') return nestRemoting.call(this, relation, {}, options)
  this.state.nested.set(relation, filterMethod === undefined ? options : { ...options, filterMethod })
  this.state.invalidate()
  this.state.events.emit('remoteMethodAdded', this.sharedClass)
}

/**
 * What of a request its operation gets as options. An application's own function calls that of the base for the rest:
 *
 * ```js
 * Note.createOptionsFromRemotingContext = function (ctx) {
 *   return { ...this.base.createOptionsFromRemotingContext(ctx), tenant: ctx.req.headers['x-tenant'] }
 * }
 * ```
 */
export function createOptionsFromRemotingContext (context: RemotingContext): { accessToken: unknown } {
  return { accessToken: context.req?.accessToken ?? null }
}

/** What is read of a remote call; other ways to call a method than REST have no request. */
interface RemotingContext { readonly req?: { readonly accessToken?: unknown } }

export const remotingDeclarators = {
  createOptionsFromRemotingContext,
  remoteMethod,
  disableRemoteMethodByName,
  disableRemoteMethod,
  beforeRemote: hook('before'),
  afterRemote: hook('after'),
  afterRemoteError: hook('afterError'),
  nestRemoting
}
