/** A model's definition as a type: what the types of `@fastback/core` are worked out from. */
import type { CompiledProperty, ModelClass, PropertyType, Relation } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import { baseName, builtinBase } from './builtin-base.js'
import { block, key, object, text } from '../source-text.js'

/** Texts of what a model has beside its properties and relations, members of types. */
export interface MethodTexts {
  readonly statics: readonly string[]
  readonly instanceMethods: readonly string[]
  /** Arguments and results by full name, for remote hooks. */
  readonly calls: readonly string[]
}

/** The effective definition, with what the model inherits and what its relations add. */
export function definitionText (Model: ModelClass, methods: MethodTexts): string {
  const { modelName, compiled } = Model
  const base = baseName(Model)
  const dropped = (builtinBase(Model)?.compiled.properties ?? [])
    .filter(({ name }) => !compiled.propertyByName.has(name)).map(({ name }) => text(name))
  const members = [
    `name: ${text(modelName)}`,
    ...(base === undefined ? [] : [`base: ${text(base)}`]),
    ...(compiled.key.length === 0 ? ['idInjection: false'] : []),
    ...(compiled.version === undefined ? [] : [`version: ${text(compiled.version.name)}`]),
    ...(dropped.length === 0 ? [] : [`excludeBaseProperties: [${dropped.join(', ')}]`]),
    `properties: ${block(
      compiled.properties.filter(property => !property.internal && property !== compiled.version).map(property => `${key(property.name)}: ${propertyText(property, compiled.key.length > 1)}`),
      '  '
    )}`,
    `relations: ${block(
      [...relationsOf(Model).values()].map(relation => `${key(relation.name)}: ${relationText(relation)}`),
      '  '
    )}`,
    ...Object.entries(methods).filter(([, texts]) => texts.length > 0)
      .map(([name, texts]) => `${name}: ${block(texts, '  ')}`)
  ]
  return block(members, '')
}

function propertyText (
  { type, idPosition, generated, required, makeDefault }: CompiledProperty, isCompound: boolean
): string {
  return object([
    `type: ${typeText(type)}`,
    ...(idPosition > 0 ? [`id: ${isCompound ? idPosition : true}`] : []),
    ...(generated ? ['generated: true'] : []),
    ...(required ? ['required: true'] : []),
    ...(makeDefault === undefined ? [] : ['default: unknown'])
  ])
}

function typeText ({ kind, items, model, members }: PropertyType): string {
  if (kind === 'array') return items === undefined || items.kind === 'any' ? text('array') : `[${typeText(items)}]`
  if (kind === 'model') return text(model ?? 'object')
  return members === undefined
    ? text(kind)
    : object(Object.entries(members).map(([name, member]) => `${key(name)}: ${typeText(member)}`))
}

/** The belongsTo side of a polymorphic relation names no model: it leads to rows of any. */
function relationText ({ type, definition }: Relation): string {
  const { model, foreignKey } = definition
  return object([
    `type: ${text(type)}`,
    ...(model === undefined ? [] : [`model: ${text(model)}`]),
    ...(foreignKey === undefined ? [] : [`foreignKey: ${text(foreignKey)}`])
  ])
}
