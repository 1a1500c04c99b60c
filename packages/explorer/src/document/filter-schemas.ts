/**
 * Components of queries, as the parser of core reads them: `NoteFilter`, `NoteWhere`, `NoteInclude`, `NoteScope`.
 *
 * No filter leads to the filter of another model: what is read of related rows is said once for all models (`Scope`),
 * and what these include is any include. Only nested descriptions (model-schemas.ts says why) have a `NoteScope`, with
 * the conditions of the related rows.
 */
import type { ModelClass } from '@fastback/core'
import { aggregateSchema } from './aggregate-schemas.js'
import { conditionSchema, relatedSchema } from './condition-schemas.js'
import { relationsOf, type ModelSchemas, type Relation } from './model-schemas.js'
import type { Schema } from '@fastback/ui/openapi'

/** `filter`: everything; `fields`: what a read by id takes; `where`: a condition alone; `aggregate`: groups of rows. */
export type FilterKind = 'filter' | 'fields' | 'where' | 'aggregate'

const largestPage = 2 ** 31 - 1
const whole = { type: 'integer', minimum: 0, maximum: largestPage }
const suffixes = {
  filter: 'Filter', fields: 'ByIdFilter', where: 'Where', include: 'Include', scope: 'Scope'
} as const

export class FilterSchemas {
  constructor (private readonly models: ModelSchemas) {}

  /** The schema of a filter over a model's rows. Models without a name of their own have none in place: any object. */
  of (Model: ModelClass | undefined, kind: FilterKind): Schema {
    if (kind === 'aggregate') return this.#aggregate(Model)
    return this.#ref(Model, kind, model =>
      kind === 'where' ? this.#where(model) : kind === 'filter' ? this.#filter(model) : this.#byId(model)
    )
  }

  #ref (Model: ModelClass | undefined, kind: keyof typeof suffixes, make: (Model: ModelClass) => Schema): Schema {
    if (Model === undefined || !this.models.published.has(Model)) return { type: 'object' }
    return this.models.components.ref(`${kind}:${Model.modelName}`, `${Model.modelName}${suffixes[kind]}`, () =>
      make(Model)
    )
  }

  #filter (Model: ModelClass): Schema {
    const maximum = maxLimitOf(Model) ?? largestPage
    const [first] = visible(Model)
    const { properties: byId, ...rest } = this.#byId(Model) as { properties: Record<string, Schema> }
    const example = { ...(first === undefined ? {} : { order: `${first} DESC` }), limit: 10 }
    return {
      ...rest,
      description: 'What to read: which rows, which of their properties, in which order, with which relations',
      properties: {
        where: this.of(Model, 'where'),
        order: this.#order(Model),
        limit: this.#limit(maximum),
        skip: this.#skip(),
        offset: this.#skip(),
        ...(Model.compiled.hasAggregates ? { distinct: this.#distinct() } : {}),
        ...(Model.compiled.softDelete === undefined
          ? {}
          : { deleted: { enum: ['only', 'with'], description: 'Rows that were deleted, or these as well' } }),
        ...(Model.compiled.hasCursors ? { after: this.#cursor(), before: this.#cursor() } : {}),
        ...byId
      },
      examples: [example]
    }
  }

  #aggregate (Model: ModelClass | undefined): Schema {
    if (Model === undefined) return { type: 'object' }
    return this.models.components.ref('aggregate', 'Aggregate', () => aggregateSchema(this.#order(Model)))
  }

  /** The same for all models: the names are those of their conditions. */
  #order ({ registry: { queryLimits: { orderTerms } }, compiled: { textIndex } }: ModelClass): Schema {
    const form = 'Names of properties, each with ASC or DESC behind it: "a DESC, b" or ["a DESC", "b"]'
    const anyOf = [{ type: 'string' }, { type: 'array', items: { type: 'string' } }]
    if (textIndex !== undefined) {
      const ranked = 'beside $search also $rank, which puts the rows first that fit best'
      return { description: `${form}; ${ranked}. At most ${orderTerms}`, anyOf }
    }
    return this.models.components.ref('order', 'Order', () => ({ description: `${form}. At most ${orderTerms}`, anyOf }))
  }

  #distinct (): Schema {
    return this.models.components.ref('distinct', 'Distinct', () => ({
      description: 'Values of these, each combination once, in place of rows',
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }]
    }))
  }

  #limit (maximum: number): Schema {
    return this.models.components.ref(`limit:${maximum}`, 'Limit', () => ({
      ...whole,
      maximum,
      description: maximum === largestPage
        ? 'The most rows to give; 0 for no limit'
        : `The most rows to give; needed, and at most ${maximum}`
    }))
  }

  /** `offset` is the same. */
  #skip (): Schema {
    return this.models.components.ref('skip', 'Skip', () =>
      ({ ...whole, description: 'Rows to leave out at the start. Without a limit, 100 rows follow' }))
  }

  /** Hundreds of lists would each have the headers: they are told of here. */
  #cursor (): Schema {
    return this.models.components.ref('cursor', 'Cursor', () => ({
      description: 'A page beside a row: X-Next-Cursor for "after", or X-Prev-Cursor for "before", of the response to another ' +
        'page; "" for the first or last page. Responses have these headers, and Link with rel="next" and rel="prev"',
      type: 'string'
    }))
  }

  #byId (Model: ModelClass): Schema {
    const include = this.#include(Model)
    return {
      type: 'object',
      description: 'Which properties to read, and with which relations',
      properties: {
        fields: fieldsSchema(visible(Model), Model.compiled.open, Model.registry.queryLimits.fields),
        ...(include === undefined ? {} : { include })
      }
    }
  }

  #where (Model: ModelClass): Schema {
    const { compiled } = Model
    const { components } = this.models
    const shown = visible(Model)
    const conditions = Object.fromEntries(
      compiled.properties
        .filter(({ name }) => shown.includes(name))
        .map(({ name, type }) => [
          name,
          conditionSchema(type, components, Model.registry.queryLimits.patternLength, () => this.models.geoPoint())
        ])
    )
    const relations = compiled.hasRelatedConditions
      ? relationsOf(Model).filter(({ name }) => !compiled.propertyByName.has(name) && !compiled.hidden.has(name))
      : []
    const related = Object.fromEntries(relations.map(relation => {
      const { name, multiple } = relation
      const to = relation.target()
      const isPublished = to !== undefined && this.models.published.has(to)
      return [name, relatedSchema(multiple, isPublished ? to.modelName : undefined)]
    }))
    const branches = { type: 'array', items: this.of(Model, 'where') }
    const dotted =
      compiled.open || compiled.properties.some(({ type }) => ['object', 'any', 'model', 'array'].includes(type.kind))
    return {
      type: 'object',
      description: `Which rows: values or conditions by property, all of which must hold${dotted ? '. A dotted name ("address.city") is a path into the value' : ''}`,
      properties: {
        ...conditions,
        ...related,
        ...searchSchema(Model),
        and: { ...branches, description: 'All of these' },
        or: { ...branches, description: 'One of these' },
        nor: { ...branches, description: 'None of these' }
      },
      additionalProperties: dotted
    }
  }

  /** One include or a list of them; undefined for models without relations to include. */
  #include (Model: ModelClass): Schema | undefined {
    const relations = relationsOf(Model)
    if (relations.length === 0 || !this.models.published.has(Model)) return undefined
    const one = this.#ref(Model, 'include', () => this.#oneInclude(Model, relations))
    // Compilers of types take no union that is a list of itself: so the list is said here.
    return { anyOf: [one, { type: 'array', items: one }] }
  }

  #oneInclude (Model: ModelClass, relations: readonly Relation[]): Schema {
    const { includes, includeDepth } = Model.registry.queryLimits
    const names = relations.map(({ name }) => name)
    return {
      description: `Relations to read with the rows: ${names.join(', ')}. At most ${includes}, nested at most ${includeDepth} deep`,
      anyOf: [
        { type: 'string', enum: names },
        ...this.#withScope(relations, Model.compiled.refusesFilterKeys),
        {
          type: 'object',
          description: 'Relations, each with what to include with its rows',
          propertyNames: { enum: names },
          additionalProperties: this.#anyInclude(),
          minProperties: 1
        }
      ],
      examples: [names[0]]
    }
  }

  #withScope (relations: readonly Relation[], counted: boolean): Schema[] {
    const one = (names: readonly string[], scope: Schema): Schema => ({
      type: 'object',
      properties: {
        relation: { type: 'string', enum: names },
        scope,
        ...(counted ? { count: { type: 'boolean', description: 'Their number, in place of the rows' } } : {})
      },
      required: ['relation'],
      additionalProperties: false
    })
    return this.models.nested
      ? relations.map(relation => one([relation.name], this.#scope(relation.target())))
      : [one(relations.map(({ name }) => name), this.#anyScope())]
  }

  /** Of the rows of a relation: a filter whose own includes may be any. */
  #scope (target: ModelClass | undefined): Schema {
    return this.#ref(target, 'scope', Model => this.#scopeOver(this.of(Model, 'where')))
  }

  /** The same of any related rows: conditions are those of the model that the relation leads to. */
  #anyScope (): Schema {
    return this.models.components.ref('scope', 'Scope', () => this.#scopeOver({ type: 'object' }))
  }

  #scopeOver (where: Schema): Schema {
    return {
      type: 'object',
      description: 'Which of the related rows, which of their properties, in which order, with which relations',
      properties: {
        where,
        order: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        limit: whole,
        skip: whole,
        offset: whole,
        fields: this.models.components.ref('fields', 'Fields', () => ({
          description: 'Properties to read: names, or true and false by name',
          anyOf: [
            { type: 'string' },
            { type: 'array', items: { type: 'string' } },
            { type: 'object', additionalProperties: { type: 'boolean' } }
          ]
        })),
        include: this.#anyInclude()
      }
    }
  }

  /** What to include with related rows: true alone within an object of relations, for the rows alone. */
  #anyInclude (): Schema {
    return this.models.components.ref('include', 'Include', () => ({
      description: 'Relations of the related rows: names, lists of them, objects of relation and scope, or objects by ' +
        'name; true for the rows alone',
      anyOf: [
        { type: 'string' },
        { type: 'boolean', enum: [true] },
        { type: 'array', items: {} },
        { type: 'object', additionalProperties: true }
      ]
    }))
  }
}

/** The condition on words, of models with a text index. */
function searchSchema ({ compiled: { textIndex }, registry: { queryLimits } }: ModelClass): Record<string, Schema> {
  if (textIndex === undefined) return {}
  return {
    $search: {
      type: 'string',
      minLength: 1,
      maxLength: queryLimits.searchLength,
      description: `Words that all stand in ${textIndex.properties.join(', ')}; "in quotes" one behind the other; -word in none. At most ${queryLimits.searchWords}. Not within or and nor`
    }
  }
}

/** Properties that a request may name. */
const visible = ({ compiled }: ModelClass): string[] =>
  compiled.properties.map(({ name }) => name).filter(name => !compiled.hidden.has(name))

function fieldsSchema (names: readonly string[], open: boolean, most: number): Schema {
  const name = open || names.length === 0 ? { type: 'string' } : { type: 'string', enum: names }
  return {
    description: 'Properties to read: names, or true and false by name (true: only those; false: all but those)',
    anyOf: [
      { type: 'array', items: name, maxItems: most },
      { type: 'object', ...(open ? {} : { propertyNames: name }), additionalProperties: { type: 'boolean' } },
      name
    ]
  }
}

function maxLimitOf (Model: ModelClass): number | undefined {
  const limit =
    Model.compiled.settings.maxLimit ?? Model.dataSource?.settings.maxLimit ?? Model.registry.queryLimits.maxLimit
  return typeof limit === 'number' ? limit : undefined
}
