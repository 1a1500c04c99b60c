/** What is odd about the models of a registry, said once when they are all there. */
import type { ConnectorLog } from './data-source/connector.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { ModelState } from './interfaces/model-state.js'
import type { Relation } from './interfaces/relation.js'
import { checkNames } from './name-checks.js'
import { nearest } from './nearest.js'
import { leftAloneIn } from './properties/apply-definition.js'
import { declaredValidations } from './validations/declared-validations.js'

/** The message of what using the relation throws. */
function whatIsMissing (relation: Relation): string {
  try {
    relation.target()
    relation.through()
  } catch (error) {
    return `${(error as Error).message} The relation is left out until there is one.`
  }
  return ''
}

export class StartWarnings {
  readonly #said = new Set<string>()

  constructor (readonly log: ConnectorLog) {}

  /** @throws as `checkNames` */
  warn (registry: Parameters<typeof checkNames>[0]): void {
    const models = Object.values(registry.models)
    checkNames(registry, (fields, message) => { this.#once(fields, message) })
    for (const Model of models) this.#ofRelations(Model)
    for (const Model of models) this.#ofMixins(Model)
    for (const Model of models) this.#ofIds(Model)
    for (const Model of models) this.#ofValidations(Model)
    for (const Model of models) this.#ofKeywords(Model)
  }

  /** That routes are missing which other models have. */
  #ofIds ({ modelName, dataSource, state: { idNames, isPublic } }: ModelClass): void {
    if (idNames.length < 2 || isPublic !== true || dataSource === null) return
    const message = `Model "${modelName}" has a compound id (${idNames.join(', ')}): no route names one row of it by ` +
      'a single id; where clauses and upserts do'
    if (this.#said.has(message)) return
    this.#said.add(message)
    this.log.info({ model: modelName, id: idNames }, message)
  }

  /** A misspelt property of a strict model: what such a validation demands, no row can have. */
  #ofValidations ({ modelName, dataSource, compiled, state }: ModelClass): void {
    if (dataSource === null || compiled.unknown === 'keep') return
    const names = [...compiled.propertyByName.keys()]
    for (const { property, kind } of declaredValidations(state)) {
      if (compiled.propertyByName.has(property) || state.relations.has(property)) continue
      const message = `A validation (${kind}) of "${modelName}" is of "${property}", which is no property.${nearest(property, names)}`
      this.#once({ model: modelName, property }, message)
    }
  }

  /** What a definition says of its properties and an application of LoopBack's does not do. */
  #ofKeywords ({ modelName, state: { definition, Model: { registry } } }: ModelClass): void {
    if ((definition.settings.propertyKeywords ?? registry.settings.propertyKeywords) !== 'ignore') return
    for (const [property, written] of Object.entries(definition.properties)) {
      const keys = leftAloneIn(written)
      if (keys.length === 0) continue
      const message = `The property "${property}" of "${modelName}" says "${keys.join('", "')}", which does nothing here; ` +
        'set "propertyKeywords" to "apply", for the model or the application, for what it says'
      this.#once({ model: modelName, property }, message)
    }
  }

  /** A mixin that is applied to nothing is said once. */
  #ofMixins ({ modelName, state }: ModelClass): void {
    const isUsed = (state: ModelState): boolean => state.hasMixins || [...state.children].some(isUsed)
    const mixins = Object.keys(state.own.mixins).filter(name => Boolean(state.own.mixins[name]))
    if (mixins.length === 0 || isUsed(state)) return
    state.hasMixins = true
    this.log.warn({ model: modelName, mixins }, `The mixins of "${modelName}" are not applied: it has no data source`)
  }

  /**
   * Relations that lead nowhere: to models that are not there, and polymorphic ones that no model is declared for
   * (before S-80 they led wherever a row said). And those that conditions cannot name, because a property comes first.
   */
  #ofRelations (Model: ModelClass): void {
    for (const relation of Model.state.unresolved.values()) this.#say(Model, relation, whatIsMissing(relation))
    for (const relation of Model.state.relations.values()) {
      if (relation.doubt !== undefined) this.#say(Model, relation, relation.doubt)
      if (Model.compiled.hasRelatedConditions && Model.compiled.propertyByName.has(relation.name)) {
        this.#say(Model, relation, `"${relation.name}" is a property and a relation of "${Model.modelName}": ` +
          'conditions and orders mean the property. Give one of them another name.')
      }
      if (relation.isReachable || Model.dataSource === null) continue
      this.#say(
        Model,
        relation,
        `No model is declared for the polymorphic relation "${relation.name}" of ` +
          `"${Model.modelName}", so it is always empty: declare the other side (hasMany or hasOne with the same "polymorphic"), or list "models"`
      )
    }
  }

  #say (Model: ModelClass, { name }: Relation, message: string): void {
    this.#once({ model: Model.modelName, relation: name }, message)
  }

  #once (fields: object, message: string): void {
    if (this.#said.has(message)) return
    this.#said.add(message)
    this.log.warn(fields, message)
  }
}
