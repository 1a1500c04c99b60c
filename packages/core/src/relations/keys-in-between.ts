/** Which properties of joining rows join them: what `hasMany` `through` and many to many have in common. */
import type { ModelDefinition, RelationDefinition } from '../definition/definition.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { keyFor } from './keys.js'
import type { Polymorphic } from './polymorphic.js'
import { throughKey } from './through-keys.js'

/** The relation whose rows are joined. */
interface JoinedRelation {
  readonly name: string
  readonly model: ModelClass
  readonly Target: ModelClass
  readonly polymorphic: Polymorphic | undefined
  through (): ModelClass
}

type Written = Pick<RelationDefinition, 'foreignKey' | 'keyThrough'> & { readonly invert?: unknown }

/** Both names, as the definition of the model in between has them. */
interface Names {
  readonly definition: ModelDefinition
  readonly foreignKey: string
  readonly keyThrough: string
  readonly both: readonly string[]
}

export class KeysInBetween {
  #names: Names | undefined

  constructor (private readonly relation: JoinedRelation, private readonly written: Written) {}

  /** The property that points at the owner. */
  get foreignKey (): string { return this.#current.foreignKey }
  /** The property that points at the far end. */
  get keyThrough (): string { return this.#current.keyThrough }
  get both (): readonly string[] { return this.#current.both }

  /** Whether it is the far end that is polymorphic. */
  get inverted (): boolean {
    return this.relation.polymorphic !== undefined && this.written.invert === true
  }

  /** What the definition was taken to mean where it says what cannot be. */
  get doubt (): string | undefined {
    if (!this.#isNamedTwice) return undefined
    const { relation: { name, model }, foreignKey, keyThrough } = this
    return `The relation "${name}" of "${model.modelName}" names "${this.written.foreignKey as string}" for both sides of ` +
      `"${this.relation.through().modelName}"; it is taken to mean "foreignKey": "${foreignKey}", "keyThrough": "${keyThrough}"`
  }

  /** Worked out once for each definition that the model in between has in its life. */
  get #current (): Names {
    const { definition } = this.relation.through().state
    if (this.#names?.definition !== definition) this.#names = this.#find(definition)
    return this.#names
  }

  #find (definition: ModelDefinition): Names {
    const { inverted, relation: { model, Target, polymorphic } } = this
    const written = this.#isNamedTwice ? this.#namedOnce() : this.written
    const keyThrough = polymorphic !== undefined && inverted
      ? polymorphic.foreignKey
      : this.#keyTo(Target, written.keyThrough)
    // Definitions that name the far key as their own, which LoopBack starts with, mean the usual one.
    const named = written.foreignKey === keyThrough && !written.keyThrough && model !== Target
      ? undefined
      : written.foreignKey
    const foreignKey = polymorphic !== undefined && !inverted ? polymorphic.foreignKey : this.#keyTo(model, named)
    return { definition, foreignKey, keyThrough, both: [foreignKey, keyThrough] }
  }

  /** One property for both sides joins nothing; LoopBack starts with it all the same. */
  get #isNamedTwice (): boolean {
    const { foreignKey, keyThrough } = this.written
    if (!foreignKey || foreignKey !== keyThrough) return false
    return this.relation.polymorphic === undefined && this.relation.model !== this.relation.Target
  }

  /** It is the far side's where the joining model says so; else the owner's. The other side has the usual name. */
  #namedOnce (): Written {
    const foreignKey = this.written.foreignKey as string
    return this.#keyTo(this.relation.Target, undefined) === foreignKey ? { keyThrough: foreignKey } : { foreignKey }
  }

  /** A model joined to itself needs two keys, so nothing can be guessed there. */
  #keyTo (pointedAt: ModelClass, named: string | undefined): string {
    const { model, Target } = this.relation
    const byDefault = keyFor(pointedAt.modelName)
    return model === Target ? named || byDefault : throughKey(this.relation.through(), pointedAt, named, byDefault)
  }
}
