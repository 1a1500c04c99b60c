import type { RelationDefinition } from '../definition/definition.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { HasManyThrough } from './has-many-through.js'
import { keyFor, nameFor } from './keys.js'
import { lookupModel } from './lookup.js'

/**
 * Many to many through a model that need not be written down: it is made of the two names (`SupplierProduct`) and holds
 * the two keys.
 */
export class HasAndBelongsToMany extends HasManyThrough {
  override readonly type = 'hasAndBelongsToMany'

  constructor (model: ModelClass, name: string, written: RelationDefinition) {
    super(model, name, withBothKeys(written))
  }

  protected override findThrough (): ModelClass {
    const { through } = this.written
    if (typeof through === 'string' && through !== '') return super.findThrough()
    const { model, Target } = this
    const [usual, other] = [model.modelName + Target.modelName, Target.modelName + model.modelName]
    const name =
      typeof this.written.throughTable === 'string' ? this.written.throughTable : this.namedByTarget() ? other : usual
    const known = [usual, other, name].map(each => lookupModel(model.registry, each)).find(each => each !== undefined)
    const Through = known ?? this.defineThrough(name)
    if (Through.dataSource === null && model.dataSource !== null) {
      model.registry.attach(Through, model.dataSource, { public: false })
    }
    return Through
  }

  /**
   * Where both sides declare the relation, LoopBack names the model in between after the side that is attached last,
   * because only then both are known. Tables of existing databases have that name.
   */
  private namedByTarget (): boolean {
    const { model, Target } = this
    const toThis = Object.values(Target.definition.relations).filter(
      each => each.type === 'hasAndBelongsToMany' && each.model === model.modelName
    )
    if (!toThis.some(each => !each.through)) return false
    const attached = model.dataSource?.attached ?? []
    return attached.indexOf(Target) > attached.indexOf(model)
  }

  private defineThrough (name: string): ModelClass {
    const sides = [this.model, this.Target].map(({ modelName: model }): [string, RelationDefinition] =>
      [nameFor(model), { type: 'belongsTo', model, foreignKey: keyFor(model) }])
    return this.model.registry.defineModel({ name, base: 'PersistedModel', relations: Object.fromEntries(sides) })
  }
}

/** LoopBack ignores a single `foreignKey` here, and so do databases made by it; both keys together are meant. */
function withBothKeys (written: RelationDefinition): RelationDefinition {
  if (written.foreignKey && written.keyThrough) return written
  const { foreignKey, keyThrough, ...rest } = written
  return rest
}
