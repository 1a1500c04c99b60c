/** Input types of rows that are written, one for each schema of a model's data. */
import type { ArgumentDefinition, JsonSchema, SharedMethod } from '@fastback/core'
import { mayFillIn } from '@fastback/rest/calls'
import type { PublishedRoute } from '@fastback/rest'
import { GraphQLInputObjectType, GraphQLNonNull, type GraphQLInputType } from 'graphql'
import type { ModelEntry } from './entries.js'
import { isName, upperFirst, type Report, type TypeNames } from './names.js'
import type { ValueTypes } from './value-types.js'

type ModelSchema = NonNullable<ArgumentDefinition['modelSchema']>

export class DataTypes {
  readonly #kept = new Map<string, GraphQLInputType>()
  readonly #values: ValueTypes
  readonly #names: TypeNames
  readonly #report: Report

  constructor (values: ValueTypes, names: TypeNames, report: Report) {
    this.#values = values
    this.#names = names
    this.#report = report
  }

  /**
   * The type of the data that a method takes. What a value may be, the model says, and what must be there as well where
   * hooks may fill it in.
   * @param schema of the body
   * @param method the one that takes it
   */
  of (entry: ModelEntry, { variant }: ModelSchema, schema: JsonSchema, method: SharedMethod): GraphQLInputType {
    const isFilledIn = mayFillIn(method, entry.Model.registry)
    const required = new Set(isFilledIn ? [] : schema.required as string[] | undefined)
    const key = `${entry.name}.${variant}.${[...required].join()}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const { compiled, modelName } = entry.Model
    const fields: Record<string, { type: GraphQLInputType, description?: string }> = {}
    for (const name of Object.keys((schema.properties ?? {}) as object)) {
      const property = compiled.propertyByName.get(name)
      if (!isName(name)) {
        this.#report(`the property "${modelName}.${name}" in data`, 'it is left out: GraphQL does not take the name')
        continue
      }
      const value = property === undefined ? this.#values.common.JSON : this.#values.of(entry, property).input
      fields[name] = {
        type: required.has(name) ? new GraphQLNonNull(value) : value,
        ...(property === undefined ? {} : describe(property.definition))
      }
    }
    const type = Object.keys(fields).length === 0
      ? this.#values.common.JSON
      : new GraphQLInputObjectType({ name: this.#names.take(`${entry.name}${upperFirst(variant)}`), fields })
    this.#kept.set(key, type)
    return type
  }
}

/** A description as GraphQL has it. */
export const describe = (
  { description }: { readonly description?: string | string[] | undefined }
): { description?: string } =>
  description === undefined ? {} : { description: [description].flat().join('\n') }

/** What a method says of itself. */
export const described = (
  { method }: Pick<PublishedRoute, 'method'>
): { description?: string, deprecationReason?: string } => ({
  ...(method.description === undefined ? {} : { description: method.description }),
  ...(method.deprecated === true ? { deprecationReason: 'The method is deprecated.' } : {})
})
