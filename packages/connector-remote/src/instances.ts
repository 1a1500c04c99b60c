/** What another application answers, as instances of the models here. */
import type { ModelClass, ReturnDefinition, Row } from '@fastback/core'
import { relationsOf, setIncluded } from '@fastback/core/remote'

/** Rows become instances of the model that a result names; anything else stays. */
export function instancesOf (Model: ModelClass, type: ReturnDefinition['type'], value: unknown): unknown {
  if (Array.isArray(type)) {
    return Array.isArray(value) ? value.map(each => instancesOf(Model, type[0] as unknown, each)) : value
  }
  const Named = typeof type === 'string' ? Model.registry.findModel(type) : undefined
  if (Named === undefined || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(each => instancesOf(Model, type, each))
  return instanceOf(Named, value as Row)
}

/** An instance of a row that came as JSON, Base64 read. What is none stays: LoopBack's servers have bytes otherwise. */
export const storedInstance = (Model: ModelClass, row: Readonly<Row>): object =>
  new Model({ ...Model.compiled.readBytes?.(row, '', () => {}) ?? row }, { persisted: true })

/** A row with what came with it. What a relation brought stands beside the data, and nowhere among them. */
function instanceOf (Model: ModelClass, row: Row): Row {
  const own: Row = {}
  const came: Array<[relation: string, value: unknown]> = []
  for (const [name, value] of Object.entries(row)) {
    const relation = relationsOf(Model).get(name)
    if (relation === undefined || Model.compiled.propertyByName.has(name)) own[name] = value
    else if (value !== undefined && value !== null) came.push([name, value])
  }
  const instance = storedInstance(Model, own) as Row
  for (const [name, value] of came) {
    const relation = relationsOf(Model).get(name)
    const target = relation?.isResolved === true ? relation.targetOf(own) : undefined
    // Of a model that is not known here, nothing is known of what may be shown.
    if (target !== undefined) setIncluded(instance, name, instancesOf(Model, target.modelName, value) as Row)
  }
  return instance
}
