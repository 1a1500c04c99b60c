/** `Model.definition`: the definition of a model class, as it is now. */
import type { ModelDefinition as EffectiveDefinition, PropertyDefinition } from '../definition/definition.js'
import type { DefinedModel } from '../definition/defined-model.js'
import { withStoreIdType } from '../definition/store-id-type.js'
import type { ModelState } from '../interfaces/model-state.js'
import { ModelDefinition } from './model-definition.js'
import { modelBuilderOf } from './model-builder.js'

type Properties = Record<string, PropertyDefinition>

const kDefinition = Symbol('definition')

/** The definition of a class; there is one. */
export function definitionOf (state: ModelState): ClassDefinition {
  const kept = state as { [kDefinition]?: ClassDefinition }
  return (kept[kDefinition] ??= new ClassDefinition(state))
}

export class ClassDefinition extends ModelDefinition implements DefinedModel {
  readonly #state: ModelState
  #of: EffectiveDefinition | undefined
  #properties: Properties = {}
  #raw: Properties = {}

  constructor (state: ModelState) {
    super(modelBuilderOf(state.Model.registry), state.own.name, {}, state.settings)
    this.#state = state
    // What the model declares is where the properties come from.
    Object.defineProperty(this, 'rawProperties', { get: () => { this.build(); return this.#raw }, enumerable: true })
  }

  override build (again = false): Properties {
    const effective = this.#effective
    if (again || this.#of !== effective) {
      this.#of = effective
      this.#raw = Object.fromEntries(
        Object.entries(effective.properties).map(([name, property]) => [name, this.#asWritten(property)])
      )
      this.#properties = this.withConstructors(this.#raw)
    }
    return this.#properties
  }

  #asWritten (property: PropertyDefinition): PropertyDefinition {
    const { injected, ...written } = withStoreIdType(property, this.#state)
    if (injected !== true) return written
    const { forceId } = this.settings
    return { ...written, type: written.type === 'number' ? Number : String, updateOnly: forceId !== false }
  }

  override defineProperty (name: string, definition: unknown): void {
    this.#state.defineProperty(name, definition)
  }

  get #effective (): EffectiveDefinition { return this.#state.definition }
  get base (): string | undefined { return this.#effective.base }
  get plural (): string { return this.#effective.plural }
  get relations (): EffectiveDefinition['relations'] { return this.#effective.relations }
  get acls (): EffectiveDefinition['acls'] { return this.#effective.acls }
  get methods (): EffectiveDefinition['methods'] { return this.#effective.methods }
  get mixins (): EffectiveDefinition['mixins'] { return this.#effective.mixins }
  get scopes (): EffectiveDefinition['scopes'] { return this.#effective.scopes }
  get scope (): unknown { return this.#effective.scope }
  get hidden (): readonly string[] { return this.#effective.hidden }
  get protected (): readonly string[] { return this.#effective.protected }
  get idInjection (): boolean { return this.#effective.idInjection }
  /** The file that it is written in. */
  get source (): string | undefined { return this.#effective.source }
}
