import type { RelationDefinition } from '../definition/definition.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { isInstance } from '../instances/instance.js'
import { setIncluded } from '../instances/included.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { createInstance } from '../operations/create.js'
import { relatedOptions } from '../operations/origin.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import type { Validation } from '../interfaces/validation.js'
import { loadVerbs, verb, type Verbs } from './accessor.js'
import { RelationBase } from './base.js'
import { embedChanges, embeddedInclude, embedInstance, embedNew, embedNothing, includeEmbedded } from './embedded.js'
import { embeddedPrototype, embedIn, type Embedding } from './embedded-instance.js'
import { noRelated } from './errors.js'
import { toInstance } from './instances.js'
import { nameFor } from './keys.js'
import { editProperty, mustBeSettable, mustMayRead, type Put } from './edit-property.js'
import { embeddedIsValid } from './list-validations.js'
import { singleMethods, type SingleOperations } from './methods.js'
import type { ImpliedProperty, RelationMethod, RelationJoin } from '../interfaces/relation.js'

/** One row of another model is the value of a property of the owner's row. */
export class EmbedsOne extends RelationBase implements SingleOperations {
  readonly type = 'embedsOne'
  override readonly embedded = true
  #prototype: object | undefined

  readonly verbs: Verbs = {
    ...loadVerbs(this),
    create: verb(1, (owner, [data], options) =>
      chain(this.create(owner, data, options), related => this.hold(owner, related))
    ),
    update: verb(1, (owner, [data], options) =>
      chain(this.update(owner, data, options), related => this.hold(owner, related))
    ),
    destroy: verb(0, (owner, _, options) => this.destroy(owner, options))
  }

  /** The property that holds the row. It cannot have the relation's name. */
  get property (): string {
    const name = this.written.property || nameFor(this.Target.modelName)
    return name === this.name ? `_${name}` : name
  }

  get joinKeys (): readonly string[] {
    return [this.property]
  }

  protected defaults (): Partial<RelationDefinition> {
    return { model: this.Target.modelName, property: this.property }
  }

  impliedProperties (): readonly ImpliedProperty[] {
    const { default: given } = this.written
    const extra = typeof this.options.property === 'object' ? (this.options.property as Record<string, unknown>) : {}
    const value = given === true ? {} : given
    const definition = { ...extra, type: this.Target.modelName, ...(value === undefined ? {} : { default: value }) }
    return [{ model: this.model, name: this.property, definition }]
  }

  override validations (): readonly Validation[] {
    return this.options.validate === false ? [] : [embeddedIsValid(this.property, () => this.related, this.name)]
  }

  joins (): readonly RelationJoin[] {
    return [this.joinTo(this.Target, this.property, '')]
  }

  methods (): readonly RelationMethod[] {
    return singleMethods(this, [], false)
  }

  /** What is embedded, as a plain row. */
  read (owner: Row): Row | undefined {
    return asRow(owner[this.property])
  }

  override value (owner: ModelInstance): ModelInstance | undefined {
    const row = this.read(owner)
    return row === undefined ? undefined : this.hold(owner, row)
  }

  /** The row as an instance, which is what its owner holds from then on. */
  private hold (owner: ModelInstance, row: Row): ModelInstance {
    const instance = this.instance(owner, row)
    if (owner[this.property] !== instance) owner[this.property] = instance
    return instance
  }

  override instance (owner: Row, row: Row): ModelInstance {
    const instance = toInstance(this.related, row)
    if (!isInstance(owner)) return instance
    const { embedding } = this
    this.#prototype ??= embeddedPrototype(this.Target.prototype, embedding)
    return embedIn(owner, instance, this.#prototype, embedding)
  }

  private get embedding (): Embedding {
    return {
      persistent: this.options.persistent === true,
      keep: (owner, instance, options) =>
        this.edit(owner, options, (_, put) => embedInstance(this.related, instance, options, put)),
      change: (owner, _, data, options) =>
        this.edit(owner, options, (current, put) =>
          embedChanges(this.related, this.mustBeThere(current), data, options, put)
        ),
      takeOut: (owner, _, options) => this.destroy(owner, options),
      stored: (owner, _, options) => this.edit(owner, options, current => this.mustBeThere(current))
    }
  }

  private mustBeThere (current: Row | undefined): Row {
    if (current === undefined) throw noRelated(this.Target.modelName)
    return current
  }

  load (owner: ModelInstance, _condition: unknown, _options: OperationOptions): ModelInstance | undefined {
    return this.value(owner)
  }

  /** As in LoopBack, an instance of another model changes nothing. */
  override assign (owner: ModelInstance, related: ModelInstance): void {
    if (!(related instanceof (this.Target as unknown as new () => object))) return
    this.copyProperties(owner, related)
    this.hold(owner, related)
  }

  override build (owner: Row, data: unknown): ModelInstance {
    // The instance itself: what is done to it before its owner is saved counts.
    return this.hold(owner, new this.Target(this.withId(this.prepare(owner, data, {}))))
  }

  /** Where rows of the related model have ids before they are stored, an embedded one is given its own as well. */
  private withId (data: Row): Row {
    const { id } = this.related
    const connector = this.Target.dataSource?.connector
    if (id === undefined || connector?.generateId === undefined || this.options.persistent === true) return data
    if (this.options.forceId !== true && (data[id.name] ?? null) !== null) return data
    return Object.assign(data, { [id.name]: connector.generateId(this.related) })
  }

  /** Embeds a new row; one that is there is replaced. */
  create (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    mustBeSettable(this.model.compiled, this.property, owner, options)
    const prepared = this.withId(this.prepare(owner, data, {}))
    return this.edit(owner, options, (_, put) => this.embedRow(prepared, options, put))
  }

  private embedRow (data: Row, options: OperationOptions, put: Put): MaybePromise<ModelInstance> {
    if (this.options.persistent !== true) return embedNew(this.related, data, options, put)
    return chain(createInstance(this.related, data, options), related => chain(put(this.rowOf(related)), () => related))
  }

  /** Changes what is embedded, or embeds a new row. */
  update (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    const prepared = this.prepare(owner, data, {})
    const missing = (): Error => noRelated(this.Target.modelName)
    const mayRead = mustMayRead(this.model.compiled, this.property, options, missing)
    return chain(mayRead, () => this.edit(owner, options, (current, put) =>
      current === undefined
        ? this.embedRow(this.withId(prepared), options, put)
        : embedChanges(this.related, current, data, options, put)
    ))
  }

  /** Takes the embedded row away; that there is none is no error. */
  destroy (owner: ModelInstance, options: OperationOptions): MaybePromise<void> {
    return this.edit(owner, options, (current, put) =>
      current === undefined ? undefined : embedNothing(this.related, current, options, () => put(null))
    )
  }

  private edit<T>(
    owner: ModelInstance,
    options: OperationOptions,
    edit: (current: Row | undefined, put: Put) => MaybePromise<T>
  ): MaybePromise<T> {
    return editProperty(this.model.compiled, owner, this.property, options, (value, put) => edit(asRow(value), put))
  }

  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void> {
    const listOf = (owner: Row): Row[] => [this.read(owner)].filter(row => row !== undefined)
    const within = relatedOptions(options)
    const query = embeddedInclude(this.related, node, this.own(undefined, this.related), within)
    return chain(query, asked => includeEmbedded(this.related, rows, asked, within, listOf, (owner, [row]) => {
      setIncluded(owner, this.name, row)
    }))
  }
}

function asRow (value: unknown): Row | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Row : undefined
}
