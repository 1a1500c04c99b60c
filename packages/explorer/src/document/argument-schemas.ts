/** Schemas of what methods take and give: models by reference, everything else as rest describes it. */
import type { ArgumentDefinition, ModelClass, ReturnDefinition, SharedMethod } from '@fastback/core'
import { FilterSchemas, type FilterKind } from './filter-schemas.js'
import { jsonSchema } from './json-schema.js'
import type { ModelSchemas } from './model-schemas.js'
import type { Schema } from '@fastback/ui/openapi'
import { userSchema } from './user-schemas.js'

type Models = Readonly<Record<string, ModelClass>>

export class ArgumentSchemas {
  readonly #filters: FilterSchemas

  constructor (readonly models: ModelSchemas, private readonly byName: Models) {
    this.#filters = new FilterSchemas(models)
  }

  /**
   * The schema of an argument.
   * @param described the schema that rest gives
   * @param definition undefined for the id of an instance method
   */
  of (method: SharedMethod, definition: ArgumentDefinition | undefined, described: unknown): Schema {
    if (definition === undefined) return this.models.id(method.model)
    const { modelFilter, modelSchema, modelId, model, type, jsonSchema: keywords } = definition
    const Model = typeof model === 'string' ? this.byName[model] : method.model
    if (modelFilter !== undefined) return this.#filters.of(Model, modelFilter as FilterKind)
    if (modelSchema !== undefined) return this.#data(method, definition, this.byName[modelSchema.model])
    if (modelId === true || (type === 'any' && definition.arg === 'id' && definition.http !== undefined)) {
      return Model === undefined ? { type: 'string' } : this.models.id(Model)
    }
    const typed = this.#typed(type, 'replace') ?? userSchema(method, definition.arg)
    return typed === undefined
      ? jsonSchema(described)
      : { ...typed, ...(keywords === undefined ? {} : jsonSchema(keywords)) }
  }

  /** Data of a model's row; for `create` a list of them as well. */
  #data (method: SharedMethod, { modelSchema, allowArray }: ArgumentDefinition, Model: ModelClass | undefined): Schema {
    if (Model === undefined || modelSchema === undefined) return { type: 'object' }
    const { variant, optional = [] } = modelSchema
    const one = this.models.newIn(Model, optional, method.modelName, variant)
    return allowArray === true ? { anyOf: [one, { type: 'array', items: one }] } : one
  }

  /** The schema of a result that stands alone in the body, or, named, among others. */
  result (method: SharedMethod, { arg, type, root }: ReturnDefinition, described: unknown): Schema {
    return (
      this.#typed(type, 'response') ??
      members(type) ??
      userSchema(method, arg) ??
      (root === true ? undefined : tagged(type)) ??
      jsonSchema(described)
    )
  }

  /** Models and lists of models; undefined for all other types. */
  #typed (type: unknown, variant: 'response' | 'replace'): Schema | undefined {
    const items = Array.isArray(type) ? type[0] : typeof type === 'string' ? /^\[(.*)\]$/.exec(type)?.[1] : undefined
    if (items !== undefined) {
      const one = this.#typed(items, variant)
      return one === undefined ? undefined : { type: 'array', items: one }
    }
    const name = typeof type === 'function' ? (type as { modelName?: string }).modelName : type
    const Model = typeof name === 'string' && Object.hasOwn(this.byName, name) ? this.byName[name] : undefined
    return Model === undefined ? undefined : this.models.of(Model, variant)
  }
}

const scalars: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  object: { type: 'object' },
  array: { type: 'array', items: {} }
}

/** An object written in place: `{ count: 'number' }`. */
function members (type: unknown): Schema | undefined {
  if (type === null || typeof type !== 'object' || Array.isArray(type)) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(type).map(([name, member]) => [name, scalars[nameOf(member)] ?? members(member) ?? {}])
    )
  }
}

const nameOf = (type: unknown): string => (typeof type === 'function' ? type.name : String(type)).toLowerCase()

/** Named results that JSON has no form for are marked (behaviour.md, section 0). */
function tagged (type: unknown): Schema | undefined {
  switch (nameOf(type)) {
    case 'date': case 'datetime': case 'date-time': return mark('date', { type: 'string', format: 'date-time' })
    case 'buffer': return mark('base64', { type: 'string', contentEncoding: 'base64' })
    default: return undefined
  }
}

const mark = (name: string, data: Schema): Schema => ({
  type: 'object',
  properties: { $type: { type: 'string', enum: [name] }, $data: data },
  required: ['$type', '$data']
})
