/** Lists that code creates: all rows or none, or, as in LoopBack, the good ones. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { setSubject } from '../error-subject.js'
import { chain, eachInSequence, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { unlessShortCircuited } from './short-circuit.js'
import { beforeSave, createInstances, makeDraft, storeDraft, type Draft } from './create.js'
import { noOptions, Operation } from './context.js'
import { isRemote } from './origin.js'
import { ruleOf } from './row-rules.js'
import { preset } from './ruled-writes.js'
import { withUniquenessLock } from './write-locks.js'

/**
 * What `create` of a list does that code calls: `options.atomic`, else the setting `atomicCreate`, says whether one bad
 * row stops them all. Lists of clients are always stored as a whole.
 *
 * ```js
 * await createList(Note.compiled, [{ title: 'a' }, {}], { atomic: false }) // rejects with [undefined, ValidationError]
 * ```
 * @throws ValidationError 422; a list of errors by position where the good rows are stored
 */
export function createList (
  model: CompiledModel, list: ReadonlyArray<Readonly<Row>>, options: OperationOptions = noOptions
): MaybePromise<ModelInstance[]> {
  return list.length === 0 || isAtomic(model, list, options)
    ? createInstances(model, list, options)
    : createEach(model, list, options)
}

/** A row with rows of relations is stored with them, and then so is the list. */
function isAtomic (
  model: CompiledModel, list: ReadonlyArray<Readonly<Row>>, options: OperationOptions
): boolean {
  const said = options.atomic ?? model.settings.atomicCreate ?? model.Model.registry.settings.atomicCreate
  return said !== false || isRemote(options) || list.some(data => model.nests?.carries(data) === true)
}

/** Each row by itself; `before save` runs for the whole list first, as in LoopBack. */
function createEach (
  model: CompiledModel, list: ReadonlyArray<Readonly<Row>>, options: OperationOptions
): MaybePromise<ModelInstance[]> {
  return chain(ruleOf(model, 'create', options), rule => storeEach(
    model, rule === undefined ? list : list.map(data => preset(data, rule)), options))
}

function storeEach (
  model: CompiledModel, list: ReadonlyArray<Readonly<Row>>, options: OperationOptions
): MaybePromise<ModelInstance[]> {
  const errors: unknown[] = []
  const drafts = list.map(data => makeDraft(model, data))
  const operations = list.map(() => new Operation(model, options))
  const inTurn = (step: (operation: Operation, draft: Draft) => MaybePromise<unknown>): MaybePromise<void> =>
    eachInSequence(drafts, (draft, i) => i in errors
      ? undefined
      : keeping(() => step(operations[i] as Operation, draft), error => { errors[i] = error }))
  const instances = drafts.map(({ instance }) => instance)
  const store = (operation: Operation, draft: Draft): MaybePromise<void> =>
    chain(unlessShortCircuited(model, () => storeDraft(operation, draft)), stored => {
      instances[drafts.indexOf(draft)] = stored
    })
  return chain(inTurn(beforeSave), () =>
    chain(withUniquenessLock(model, [...instances], options, () => inTurn(store)), () => {
      if (errors.length === 0) return instances
      setSubject(errors, instances)
      // The form that LoopBack's code knows.
      throw errors
    }))
}

/** Hands an error over, and goes on. */
function keeping (work: () => MaybePromise<unknown>, keep: (error: unknown) => void): MaybePromise<unknown> {
  try {
    const result = work()
    return isPromise(result) ? result.catch(keep) : result
  } catch (error) {
    keep(error)
  }
}
