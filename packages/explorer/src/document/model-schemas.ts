/**
 * Components of models: `Note` (as it is read, with related rows), `NoteRow` (the same without them), `NewNote`,
 * `NoteReplacement`, `NotePartial` (as it is sent).
 *
 * Related rows are rows without relations of their own, unless they are asked for at any depth. Tools that write out
 * every reference (swagger-client, and with it Swagger UI) follow each way from model to model otherwise: two minutes
 * for thirty models.
 */
import type { CompiledModel, ModelClass, PropertyType } from '@fastback/core'
import { isSetBy } from '@fastback/core/remote'
import type { Components } from './components.js'
import { exampleOf } from './examples.js'
import { jsonSchema, orNull } from './json-schema.js'
import type { Schema } from '@fastback/ui/openapi'
import { isSeldomGiven } from './user-schemas.js'

export type Variant = 'response' | 'create' | 'replace' | 'patch'

const names: Readonly<Record<Variant, (model: string) => string>> = {
  response: model => model,
  create: model => `New${model}`,
  replace: model => `${model}Replacement`,
  patch: model => `${model}Partial`
}

/** The models that a document names. Others occur in place, without their name (security.md, S-57). */
export class ModelSchemas {
  /** @param nested whether related rows have relations of their own */
  constructor (
    readonly components: Components,
    readonly published: ReadonlySet<ModelClass>,
    private readonly models: Readonly<Record<string, ModelClass>>,
    readonly nested: boolean
  ) {
    for (const Model of published) components.reserve(keyOf('response', Model), names.response(Model.modelName))
  }

  /** The schema of a model's rows, or of what is sent of them. */
  of (Model: ModelClass, variant: Variant): Schema {
    if (!this.published.has(Model)) return this.#inPlace(Model, variant, [])
    return this.components.ref(keyOf(variant, Model), names[variant](Model.modelName), () =>
      this.#withExample(Model, variant)
    )
  }

  /** The schema of a model's rows as they are read, without what `include` adds to them. */
  row (Model: ModelClass): Schema {
    if (this.nested || !this.published.has(Model) || relationsOf(Model).length === 0) return this.of(Model, 'response')
    return this.components.ref(`row:${Model.modelName}`, `${Model.modelName}Row`, () =>
      this.#schemaOf(Model, 'response', [])
    )
  }

  /** The schema of new rows that something else gives some of their properties: none of `optional` is required. */
  newIn (Model: ModelClass, optional: readonly string[], owner: string, variant: Variant): Schema {
    const plain = this.of(Model, variant)
    const { required, ...rest } = this.components.resolve(plain)
    if (!Array.isArray(required) || !required.some(name => optional.includes(name as string))) return plain
    const left = required.filter(name => !optional.includes(name as string))
    const make = (): Schema => (left.length === 0 ? rest : { ...rest, required: left })
    if (!this.published.has(Model)) return make()
    return this.components.ref(
      `${keyOf(variant, Model)}-${optional.join()}`,
      `${names[variant](Model.modelName)}In${owner}`,
      make
    )
  }

  /** The schema of rows of which nothing was left out, as writes answer with them: their id is there. */
  stored (Model: ModelClass): Schema {
    const { id, hidden } = Model.compiled
    const row = this.row(Model)
    if (id === undefined || hidden.has(id.name)) return row
    const make = (): Schema =>
      ({ allOf: [row, { type: 'object', properties: { [id.name]: this.id(Model) }, required: [id.name] }] })
    if (!this.published.has(Model)) return make()
    return this.components.ref(`stored:${Model.modelName}`, `Stored${Model.modelName}`, make)
  }

  #withExample (Model: ModelClass, variant: Variant): Schema {
    const schema = this.#schemaOf(Model, variant, [])
    const example = exampleOf(variant === 'response' ? schema : asGiven(schema, Model, variant), this.components)
    const shown = variant === 'response' ? this.#withRelations(Model, schema) : this.#withNestedRows(Model, schema)
    return example === undefined ? shown : { ...shown, examples: [example] }
  }

  #schemaOf (Model: ModelClass, variant: Variant, within: readonly ModelClass[]): Schema {
    const { compiled } = Model
    const { title, additionalProperties, ...schema } = jsonSchema(compiled.schemas[variant])
    // What clients only read stands in responses alone.
    const isDisclosable = (name: string): boolean => {
      const property = variant === 'response' ? undefined : compiled.propertyByName.get(name)
      return property === undefined || !isSetBy(property, 'readOnly')
    }
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
      .filter(([name]) => isDisclosable(name))
      .map(([name, written]) => [name, this.#property(compiled, name, written, variant, [...within, Model])])
    // Answers may also hold relations that were included: what else may be in them is said only where anything may.
    const open = variant === 'response' && additionalProperties === false ? {} : { additionalProperties }
    return { ...schema, properties: Object.fromEntries(properties), ...open }
  }

  #inPlace (Model: ModelClass, variant: Variant, within: readonly ModelClass[]): Schema {
    return within.includes(Model) ? { type: 'object' } : this.#schemaOf(Model, variant, within)
  }

  #property (
    model: CompiledModel,
    name: string,
    written: Schema,
    variant: Variant,
    within: readonly ModelClass[]
  ): Schema {
    const property = model.propertyByName.get(name)
    if (property === undefined) return written
    const nested = variant === 'response' ? 'response' : 'replace'
    const typed = this.#typed(property.type, written, nested, within)
    const schema = isSetBy(property, 'readOnly') ? { ...typed, readOnly: true } : typed
    if (variant !== 'response' || property.idPosition === 0) return schema
    return { ...schema, type: withoutNull(schema.type), ...(property.generated ? { readOnly: true } : {}) }
  }

  /** Puts references where a schema has models in place. */
  #typed (type: PropertyType, written: Schema, variant: Variant, within: readonly ModelClass[]): Schema {
    switch (type.kind) {
      case 'model':
        return this.#nested(type.model as string, written, variant, within)
      case 'geopoint':
        return variant === 'response'
          ? orNull(this.geoPoint())
          : { ...written, anyOf: [this.geoPoint(), ...otherPoints] }
      case 'buffer':
        return type.bytes === undefined ? { ...written, ...base64, ...orNull(base64) } : written
      case 'array':
        return type.items === undefined || written.items === undefined
          ? written
          : { ...written, items: this.#typed(type.items, written.items as Schema, variant, within) }
      case 'object':
        return type.members === undefined || written.properties === undefined
          ? written
          : {
              ...written,
              properties: this.#members(type.members, written.properties as Record<string, Schema>, variant, within)
            }
      default:
        return written
    }
  }

  #members (
    members: Readonly<Record<string, PropertyType>>,
    written: Record<string, Schema>,
    variant: Variant,
    within: readonly ModelClass[]
  ): Record<string, Schema> {
    return Object.fromEntries(
      Object.entries(written).map(([name, schema]) => [
        name,
        members[name] === undefined ? schema : this.#typed(members[name], schema, variant, within)
      ])
    )
  }

  #nested (name: string, written: Schema, variant: Variant, within: readonly ModelClass[]): Schema {
    const Model = this.models[name]
    if (Model === undefined) return written
    const schema = !this.published.has(Model)
      ? this.#inPlace(Model, variant, within)
      : variant === 'response' ? this.row(Model) : this.of(Model, variant)
    const { description, deprecated } = written
    const described = {
      ...schema,
      ...(description === undefined ? {} : { description }),
      ...(deprecated === true ? { deprecated } : {})
    }
    return Array.isArray(written.type) && written.type.includes('null') ? orNull(described) : described
  }

  /** What `include` adds to rows. */
  #withRelations (Model: ModelClass, schema: Schema): Schema {
    const included: Record<string, Schema> = {}
    for (const relation of relationsOf(Model)) {
      if (Object.hasOwn(schema.properties as object, relation.name)) continue
      const target = relation.target()
      const one = target !== undefined && this.published.has(target) ? this.row(target) : { type: 'object' }
      const { description } = relation.definition
      const text = [description ?? []].flat().join('\n')
      const rows = relation.multiple ? { type: 'array', items: one } : one
      included[relation.name] = text === '' ? rows : { ...rows, description: text }
    }
    return { ...schema, properties: { ...(schema.properties as object), ...included } }
  }

  /** Rows of relations that come with the data of a row: new ones, or those that are there by their ids. */
  #withNestedRows (Model: ModelClass, schema: Schema): Schema {
    const { nests } = Model.compiled
    if (nests === undefined) return schema
    const rows: Record<string, Schema> = {}
    for (const { name, multiple, target } of relationsOf(Model)
      .filter(relation => nests.names.has(relation.name))
      .map(relation => ({ name: relation.name, multiple: relation.multiple, target: relation.target() }))) {
      const one = target !== undefined && this.published.has(target) ? this.of(target, 'patch') : { type: 'object' }
      rows[name] = multiple ? { type: 'array', items: one } : { anyOf: [one, { type: 'null' }] }
    }
    return { ...schema, properties: { ...(schema.properties as object), ...rows } }
  }

  geoPoint (): Schema {
    return this.components.ref('geopoint', 'GeoPoint', () => ({
      type: 'object',
      properties: {
        lat: { type: 'number', minimum: -90, maximum: 90 },
        lng: { type: 'number', minimum: -180, maximum: 180 }
      },
      required: ['lat', 'lng']
    }))
  }

  /** Values of a model's id, as they stand in a path. */
  id (Model: ModelClass): Schema {
    const { id, schemas } = Model.compiled
    if (id === undefined || id.type.kind === 'any') return { type: 'string' }
    const { type, format } = jsonSchema(schemas.property(id.name))
    return { type: withoutNull(type) ?? 'string', ...(format === undefined ? {} : { format }) }
  }
}

export type Relation = CompiledModel['relations'] extends ReadonlyMap<string, infer Each> ? Each : never

/** Relations that `include` may name. */
export const relationsOf = ({ compiled }: ModelClass): Relation[] =>
  [...compiled.relations.values()].filter(({ definition }) => definition.options?.disableInclude !== true)

const otherPoints: readonly Schema[] = [
  { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  { type: 'string', description: '"lat,lng"' },
  { type: 'null' }
]

const base64: Schema = { type: 'string', contentEncoding: 'base64' }

const withoutNull = (type: unknown): unknown => Array.isArray(type) ? type.find(each => each !== 'null') : type

/** Examples of changes leave the id alone, those of accounts what is seldom given. */
function asGiven (schema: Schema, Model: ModelClass, variant: Variant): Schema {
  const id = variant === 'create' ? undefined : Model.compiled.id?.name
  const given = Object.entries(schema.properties as object)
    .filter(([name]) => name !== id && !isSeldomGiven(Model, name))
  return { ...schema, properties: Object.fromEntries(given) }
}

const keyOf = (variant: Variant, Model: ModelClass): string => `${variant}:${Model.modelName}`
