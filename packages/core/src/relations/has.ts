import { relatedOptions } from '../operations/origin.js'
import type { RelationDefinition } from '../definition/definition.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import { RelationBase } from './base.js'
import { notSaved } from './errors.js'
import { findPagesAmong } from './find-among.js'
import { distinctKeys, groupBy, pageOf } from './group.js'
import { idNameOf, isKey, keyFor, keyText, keyTypeOf } from './keys.js'
import { polymorphicOf, type Polymorphic } from './polymorphic.js'
import { Demand, perParent, type Reads } from './related-query.js'
import type { ImpliedProperty, Reference, RelationJoin } from '../interfaces/relation.js'

/** Relations whose related rows hold the owner's key (hasOne, hasMany). */
export abstract class HasRelation extends RelationBase {
  readonly polymorphic: Polymorphic | undefined = polymorphicOf(this.written, this.name)
  /** The property of the related rows. */
  readonly foreignKey: string =
    this.polymorphic?.foreignKey ?? (this.written.foreignKey || keyFor(this.model.modelName))

  /** The owner's property that related rows point at. */
  get primaryKey (): string {
    return this.written.primaryKey || idNameOf(this.model, this)
  }

  get joinKeys (): readonly string[] {
    return [this.primaryKey]
  }

  /** The properties that the relation sets on related rows. */
  get setKeys (): readonly string[] {
    return this.polymorphic === undefined ? [this.foreignKey] : [this.foreignKey, this.polymorphic.discriminator]
  }

  protected defaults (): Partial<RelationDefinition> {
    return {
      model: this.Target.modelName,
      foreignKey: this.foreignKey,
      primaryKey: this.primaryKey,
      ...(this.polymorphic === undefined ? {} : { polymorphic: this.polymorphic })
    }
  }

  impliedProperties (): readonly ImpliedProperty[] {
    const { Target: model, polymorphic } = this
    const indexed = (name: string, type: unknown): ImpliedProperty => ({
      model,
      name,
      definition: { type, index: true }
    })
    const key = indexed(this.foreignKey, keyTypeOf(this.model, this.primaryKey))
    return polymorphic === undefined ? [{ ...key, isKey: true }] : [key, indexed(polymorphic.discriminator, 'string')]
  }

  override reference (): Reference {
    const { Target: holder, foreignKey: property, model: target, primaryKey: targetProperty, rules } = this
    return { holder, property, target, targetProperty, only: this.kind(), ...rules }
  }

  joins (): readonly RelationJoin[] {
    return [this.joinTo(this.Target, this.primaryKey, this.foreignKey, {}, this.kind())]
  }

  /** What related rows of this owner have; undefined for an owner that has no key (yet): null is nobody's key. */
  keysOf (owner: Row): Row | undefined {
    const key = owner[this.primaryKey]
    if (!isKey(key)) return undefined
    return { [this.foreignKey]: key, ...this.kind() }
  }

  /** The discriminator of related rows, where they can belong to several models. */
  private kind (): Row {
    return this.polymorphic === undefined ? {} : { [this.polymorphic.discriminator]: this.model.modelName }
  }

  /** @throws RequestError 400 for an owner without a key */
  protected mustHaveKeys (owner: Row): Row {
    const keys = this.keysOf(owner)
    if (keys === undefined) throw notSaved(this.model.modelName, this.name)
    return keys
  }

  /**
   * What the related rows of one owner must have, or undefined when it can have none.
   * @param reads how many rows
   */
  protected demand (owner: Row, join?: string, reads?: Reads): Demand | undefined {
    const keys = this.keysOf(owner)
    if (keys === undefined) return undefined
    const model = this.related
    return new Demand(model, [keys], this.own(owner, model), join, reads)
  }

  override build (owner: Row, data: unknown): ModelInstance {
    return new this.Target(this.prepare(owner, data, this.keysOf(owner) ?? {}))
  }

  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void> {
    const keys = distinctKeys(rows, this.primaryKey)
    const model = this.related
    const within = relatedOptions(options)
    const asked = perParent(model, node, this.own(undefined, model), within)
    const { scope, page } = asked
    const among = { property: this.foreignKey, keys, kind: this.kind(), scope, isOne: !this.multiple }
    return chain(findPagesAmong(model, asked, within, among, page), related => {
      const groups = groupBy(related, this.foreignKey)
      for (const row of rows) {
        const key = row[this.primaryKey]
        this.keepIncluded(row, pageOf((isKey(key) ? groups.get(keyText(key)) : undefined) ?? [], page))
      }
    })
  }

  /** Keeps the related rows that include found with their owner. */
  protected abstract keepIncluded (row: Row, related: Row[]): void
}
