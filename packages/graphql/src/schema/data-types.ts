/** Input types of rows that are written, one for each schema of a model's data. */
import type { ArgumentDefinition, JsonSchema } from '@fastback/core'
import type { PublishedRoute } from '@fastback/rest'
import { GraphQLInputObjectType, type GraphQLInputType } from 'graphql'
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
   * The type of the data that a method takes. What must be there, and what a value may be, the model says: hooks may
   * fill in what is required.
   * @param schema of the body
   */
  of (entry: ModelEntry, { variant }: ModelSchema, schema: JsonSchema): GraphQLInputType {
    const key = `${entry.name}.${variant}`
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
      fields[name] = property === undefined
        ? { type: this.#values.common.JSON }
        : { type: this.#values.of(entry, property).input, ...describe(property.definition) }
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
