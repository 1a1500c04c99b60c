import { chain, type MaybePromise } from '../maybe-promise.js'
import { setIncluded } from '../instances/included.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { findOrCreate } from '../operations/upsert.js'
import type { Row } from '../properties/types.js'
import { asInternal } from '../operations/origin.js'
import { loadVerbs, verb, type Verbs } from './accessor.js'
import { forget, remember } from './cache.js'
import { noRelated, onlyOne } from './errors.js'
import { HasRelation } from './has.js'
import { toInstance } from './instances.js'
import { singleMethods, type SingleOperations } from './methods.js'
import { allOf, type Filter } from './related-query.js'
import { relatedRow } from './related-rows.js'
import type { RelationMethod } from '../interfaces/relation.js'

/** One row of another model points at the owner. */
export class HasOne extends HasRelation implements SingleOperations {
  readonly type = 'hasOne'

  readonly verbs: Verbs = {
    ...loadVerbs(this),
    create: verb(1, (owner, [data], options) => this.create(owner, data, options)),
    update: verb(1, (owner, [data], options) => this.update(owner, data, options)),
    destroy: verb(0, (owner, _, options) => this.destroy(owner, options))
  }

  methods (): readonly RelationMethod[] {
    return singleMethods(this, this.setKeys, true)
  }

  /** The related row, or null. */
  read (owner: Row, options: OperationOptions, condition?: Filter): MaybePromise<Row | null> {
    const within = this.demand(owner, this.foreignKey, 'one')
    if (within === undefined) return null
    return chain(relatedRow(this.related, condition, options, within), row => row ?? null)
  }

  load (owner: ModelInstance, condition: unknown, options: OperationOptions): MaybePromise<ModelInstance | null> {
    return chain(this.read(owner, options, condition as Filter | undefined), row =>
      row === null ? null : toInstance(this.related, row)
    )
  }

  override assign (owner: ModelInstance, related: ModelInstance): void {
    this.prepare(owner, related, this.mustHaveKeys(owner))
    forget(owner, this.name)
    remember(owner, this.name, related)
  }

  /** @throws RequestError 409 when there is a related row */
  create (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    const keys = this.mustHaveKeys(owner)
    const filter = { where: allOf(keys, this.scopeFor(owner)?.where) }
    return chain(
      findOrCreate(this.related, filter, this.prepare(owner, data, keys), asInternal(options)),
      ([related, created]) => {
        if (!created) throw onlyOne(this.Target.modelName)
        forget(owner, this.name)
        return related
      }
    )
  }

  /** @throws RequestError 404 without a related row, 400 when `data` would give it to another owner */
  update (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    return chain(this.mustRead(owner, options), row => {
      this.mustKeep(this.related, data, this.mustHaveKeys(owner))
      forget(owner, this.name)
      return this.change(row, data, options)
    })
  }

  /** @throws RequestError 404 without a related row */
  destroy (owner: ModelInstance, options: OperationOptions): MaybePromise<unknown> {
    return chain(this.mustRead(owner, options), row => {
      forget(owner, this.name)
      return this.remove(row, options)
    })
  }

  private mustRead (owner: Row, options: OperationOptions): MaybePromise<Row> {
    return chain(this.read(owner, options), row => {
      if (row === null) throw noRelated(this.Target.modelName)
      return row
    })
  }

  protected keepIncluded (row: Row, [related]: Row[]): void {
    setIncluded(row, this.name, related)
  }
}
