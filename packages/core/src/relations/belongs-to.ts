import type { RelationDefinition } from '../definition/definition.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { compiledOf, isInstance } from '../instances/instance.js'
import { setIncluded } from '../instances/included.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { patchInstance } from '../operations/patch.js'
import { findRowById } from '../operations/read.js'
import { comesToOwn } from '../own-functions.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import { asInternal, relatedOptions } from '../operations/origin.js'
import { loadVerbs, verb, type Verbs } from './accessor.js'
import { RelationBase } from './base.js'
import { forget, remember } from './cache.js'
import { isEmbedded } from './embedded-instance.js'
import { noRelated } from './errors.js'
import { findAmong } from './find-among.js'
import { distinctKeys, groupBy, positionsBy } from './group.js'
import { toInstance } from './instances.js'
import { targetOf } from './lookup.js'
import { idNameOf, isKey, keyText, keyTypeOf, sameKey } from './keys.js'
import { belongsToMethods } from './methods.js'
import { modelNamedBy, modelsOf, polymorphicOf, reachesAny, type Polymorphic } from './polymorphic.js'
import { Demand, type Filter, perParent } from './related-query.js'
import { relatedRow } from './related-rows.js'
import { changeRelated, createRelated } from './related-writes.js'
import type { ImpliedProperty, Reference, RelationMethod, RelationJoin } from '../interfaces/relation.js'

/** The row holds the key of one row of another model, or (polymorphic) of one of several models. */
export class BelongsTo extends RelationBase {
  readonly type = 'belongsTo'
  readonly polymorphic: Polymorphic | undefined = polymorphicOf(this.written, this.name)
  readonly foreignKey: string = this.polymorphic?.foreignKey ?? (this.written.foreignKey || `${this.name}Id`)

  readonly #targets = new Map<unknown, ModelClass>()

  readonly verbs: Verbs = {
    ...loadVerbs(this),
    create: verb(1, (owner, [data], options) => this.create(owner, data, options)),
    update: verb(1, (owner, [data], options) => this.update(owner, data, options)),
    destroy: verb(0, (owner, _, options) => this.part(owner, options))
  }

  override target (): ModelClass | undefined {
    return this.polymorphic === undefined ? super.target() : undefined
  }

  get joinKeys (): readonly string[] {
    return this.polymorphic === undefined ? [this.foreignKey] : [this.foreignKey, this.polymorphic.discriminator]
  }

  protected defaults (): Partial<RelationDefinition> {
    const target = this.target()
    return {
      foreignKey: this.foreignKey,
      ...(target === undefined ? {} : { model: target.modelName, primaryKey: this.keyOf(target) }),
      ...(this.polymorphic === undefined ? {} : { polymorphic: this.polymorphic })
    }
  }

  impliedProperties (): readonly ImpliedProperty[] {
    const { model, foreignKey: name, polymorphic } = this
    this.mustKnowModels()
    const indexed = (name: string, type: unknown): ImpliedProperty => ({
      model,
      name,
      definition: { type, index: true }
    })
    if (polymorphic === undefined) {
      return [{ ...indexed(name, keyTypeOf(this.Target, this.keyOf(this.Target))), isKey: true }]
    }
    return [
      indexed(name, polymorphic.idType ?? keyTypeOf(model, model.state.idName)),
      indexed(polymorphic.discriminator, 'string')
    ]
  }

  /**
   * A polymorphic key leads to several models, and each of these says what becomes of it: of such a relation this is
   * the way to one of them.
   */
  override reference (to?: ModelClass): Reference | undefined {
    const { model: holder, foreignKey: property, polymorphic, rules } = this
    if (polymorphic === undefined) {
      const target = this.Target
      return { holder, property, target, targetProperty: this.keyOf(target), only: {}, ...rules }
    }
    const only = { [polymorphic.discriminator]: to?.modelName }
    if (to === undefined || this.targetOf(only) !== to) return undefined
    return { holder, property, target: to, targetProperty: this.keyOf(to), only, ...rules }
  }

  joins (): readonly RelationJoin[] {
    const { model, foreignKey, polymorphic } = this
    if (polymorphic === undefined) return [this.joinTo(this.Target, foreignKey, this.keyOf(this.Target))]
    return modelsOf(model, polymorphic).map(target =>
      this.joinTo(target, foreignKey, this.keyOf(target), { [polymorphic.discriminator]: target.modelName }))
  }

  /** @throws FBK_CORE_UNKNOWN_MODEL for a listed model that is not defined */
  private mustKnowModels (): void {
    for (const name of this.polymorphic?.models ?? []) targetOf(this.model, this.name, name)
  }

  /**
   * Whether the relation leads anywhere: a polymorphic one that no model declares the other side of does not (S-80).
   */
  override get isReachable (): boolean {
    return this.polymorphic === undefined || reachesAny(this.model, this.polymorphic)
  }

  override get isResolved (): boolean {
    return this.polymorphic !== undefined || super.isResolved
  }

  methods (): readonly RelationMethod[] {
    return belongsToMethods(this)
  }

  /**
   * The property of the other model that the key is compared with: its id, unless the definition names another that it
   * has.
   */
  private keyOf (target: ModelClass): string {
    const named = this.written.primaryKey || this.written.idName || this.polymorphic?.idName
    const exists =
      named !== undefined && (this.polymorphic === undefined || target.state.definition.properties[named] !== undefined)
    return exists ? named : idNameOf(target, this)
  }

  /** The property of a related row that the key of the owner equals. */
  targetKey (related: ModelInstance): string {
    return this.keyOf(compiledOf(related).Model)
  }

  override targetOf (owner: Readonly<Row>): ModelClass | undefined {
    if (this.polymorphic === undefined) return this.Target
    const name = owner[this.polymorphic.discriminator]
    const known = this.#targets.get(name)
    if (known !== undefined) return known
    const target = modelNamedBy(this.model, this.polymorphic, name)
    // Only exact names are kept: those are as many as there are models.
    if (target !== undefined && target.modelName === name) this.#targets.set(name, target)
    return target
  }

  /**
   * The related row: undefined where the key was never set, null where it leads nowhere. A row of one of several models
   * says itself which it is of, by being an instance.
   * @param condition a further filter
   */
  read (owner: Row, options: OperationOptions, condition?: Filter): MaybePromise<Row | null | undefined> {
    const key = owner[this.foreignKey]
    if (!isKey(key)) return undefined
    const target = this.targetOf(owner)
    if (target === undefined) return null
    const name = this.keyOf(target)
    const model = target.compiled
    const scope = this.own(owner, model)
    const isPlain =
      scope === undefined && condition === undefined && name === model.id?.name && !comesToOwn(target, 'findOne')
    const row =
      isPlain
        ? findRowById(model, key, undefined, asInternal(options))
        : relatedRow(model, condition, options, new Demand(model, [{ [name]: key }], scope, name, 'one'))
    return chain(row, found => (found === undefined ? null : this.shown(target, found)))
  }

  load (
    owner: ModelInstance,
    condition: unknown,
    options: OperationOptions
  ): MaybePromise<ModelInstance | null | undefined> {
    return chain(this.read(owner, options, condition as Filter | undefined), row =>
      row === null || row === undefined || isInstance(row) ? row : toInstance(this.related, row)
    )
  }

  private shown (target: ModelClass, row: Row): Row {
    return this.polymorphic === undefined ? row : toInstance(target.compiled, row)
  }

  /** Only as long as the key still points at it. */
  override atHand (owner: ModelInstance): ModelInstance | null | undefined {
    const related = super.atHand(owner) as ModelInstance | null | undefined
    const key = owner[this.foreignKey]
    if (related === undefined || related === null || key === undefined) return related
    return sameKey(key, related[this.keyOf(compiledOf(related).Model)]) ? related : undefined
  }

  override assign (owner: ModelInstance, related: ModelInstance): void {
    owner[this.foreignKey] = related[this.keyOf(compiledOf(related).Model)]
    if (this.polymorphic !== undefined) owner[this.polymorphic.discriminator] = compiledOf(related).name
    this.copyProperties(owner, related)
    forget(owner, this.name)
    remember(owner, this.name, related)
  }

  override build (owner: Row, data: unknown): ModelInstance {
    const Target = this.mustHaveTarget(owner)
    return new Target(this.prepare(owner, data, {}))
  }

  /** Creates the related row and makes the owner point at it. */
  create (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    const target = this.mustHaveTarget(owner)
    return chain(createRelated(target.compiled, this.prepare(owner, data, {}), options), created => {
      const related = created as ModelInstance
      this.assign(owner, related)
      return chain(this.keep(owner, options), () => related)
    })
  }

  update (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    return chain(this.load(owner, undefined, options), related => {
      if (related === null || related === undefined) throw noRelated(this.name)
      const target = compiledOf(related)
      const key = this.keyOf(target.Model)
      this.mustKeep(target, data, { [key]: related[key] })
      return changeRelated(target, related, data, options)
    })
  }

  /** Makes the owner point at nothing; the related row stays. */
  part (owner: ModelInstance, options: OperationOptions): MaybePromise<ModelInstance> {
    return chain(this.load(owner, undefined, options), related => {
      if (related === null || related === undefined) throw noRelated(this.name)
      owner[this.foreignKey] = null
      forget(owner, this.name)
      return this.keep(owner, options)
    })
  }

  /** Stores the owner's key. An owner that is not stored yet keeps it until it is saved. */
  private keep (owner: ModelInstance, options: OperationOptions): MaybePromise<ModelInstance> {
    const self = owner as ModelInstance & { isNewRecord (): boolean, save (options: unknown): Promise<ModelInstance> }
    if (isEmbedded(owner)) return self.save(options)
    if (self.isNewRecord()) return owner
    const changes = Object.fromEntries(this.joinKeys.map(name => [name, owner[name]]))
    return patchInstance(compiledOf(owner), owner, changes, options)
  }

  private mustHaveTarget (owner: Row): ModelClass {
    const target = this.targetOf(owner)
    if (target === undefined) throw noRelated(this.name)
    return target
  }

  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void> {
    const { polymorphic } = this
    if (polymorphic === undefined) return this.includeFrom(this.Target, rows, node, options)
    const groups = [...groupBy(rows, polymorphic.discriminator).values()]
    return eachInSequence(groups, group => {
      const target = this.targetOf(group[0] as Row)
      if (target === undefined) return this.includeNone(group)
      return this.includeFrom(target, group, node, options)
    })
  }

  /** That there is none is known as well: accessors answer at once. */
  private includeNone (rows: readonly Row[]): void {
    for (const row of rows) setIncluded(row, this.name, undefined)
  }

  private includeFrom (
    target: ModelClass,
    rows: readonly Row[],
    node: IncludeNode,
    options: OperationOptions
  ): MaybePromise<void> {
    const keys = distinctKeys(rows, this.foreignKey)
    if (keys.length === 0) return this.includeNone(rows)
    const model = target.compiled
    const name = this.keyOf(target)
    const within = relatedOptions(options)
    // One row per owner: a page of it is the row or nothing.
    const asked = perParent(model, node, this.own(undefined, model), within)
    return chain(findAmong(model, asked, within, { property: name, keys, scope: asked.scope, isOne: true }), found => {
      if (asked.page.skip > 0) return this.includeNone(rows)
      const positions = positionsBy(found, name)
      const related = found.map(row => this.shown(target, row))
      for (const row of rows) {
        const position = isKey(row[this.foreignKey]) ? positions.get(keyText(row[this.foreignKey])) : undefined
        setIncluded(row, this.name, position === undefined ? undefined : related[position])
      }
    })
  }
}
