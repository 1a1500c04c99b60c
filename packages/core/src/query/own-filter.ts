/** Filters of the application's own (scopes of models and relations, named scopes), read when they are first needed. */
import type { QueriedModel } from './queried-model.js'
import type { Query } from './ast.js'
import { isGiven } from './merge.js'
import type { Addition } from './narrow.js'
import { parseFilter } from './parse.js'
import type { WrittenPage } from './parse-page.js'

type Filter = Record<string, unknown>

const OWN_FILTERS = Symbol('fastback.ownFilters')

/** A filter in both forms: as it is written, which hooks see, and as what it adds to a query. */
export class OwnFilter {
  #query: Query | undefined
  #addition: Addition | undefined
  #pageless: OwnFilter | undefined
  #first: OwnFilter | undefined
  #onlyWhere: OwnFilter | undefined

  readonly json: Readonly<Filter>

  /** @param isOne whether one row is read by it */
  constructor (readonly model: QueriedModel, json: object, addition?: Addition, readonly isOne = false) {
    this.json = json as Filter
    this.#addition = addition
  }

  /** By itself. No rule for what comes from outside binds it. @throws RequestError 400 for what cannot be read */
  get query (): Query {
    return (this.#query ??= parseFilter(this.model, { ...this.json }, this.model.parsing.internal))
  }

  get addition (): Addition {
    return (this.#addition ??= additionOf(this.query, this.json))
  }

  /** As narrowings are asked for it. */
  written (): Readonly<Filter> {
    return this.json
  }

  /** The same without its page. */
  get pageless (): OwnFilter {
    if (this.#pageless !== undefined) return this.#pageless
    if (!isPaged(this.json)) return this
    const { limit, skip, offset, ...rest } = this.json
    return (this.#pageless = new OwnFilter(this.model, rest, { ...this.addition, page: undefined }))
  }

  /** Its condition alone. */
  get onlyWhere (): OwnFilter {
    return (this.#onlyWhere ??=
      new OwnFilter(this.model, { where: this.json.where }, { ...addsNothing, where: this.addition.where }))
  }

  /** The same for one row. */
  get first (): OwnFilter {
    if (this.#first !== undefined) return this.#first
    const { limit, ...rest } = this.json
    return (this.#first = limited(this.model, new OwnFilter(this.model, rest, this.addition), 1, true))
  }
}

/** A filter that gives no more than so many rows. */
export function limited (
  model: QueriedModel, filter: OwnFilter | undefined, limit: number, isOne = false
): OwnFilter {
  const json = { ...filter?.json, limit }
  return new OwnFilter(model, json, { ...(filter?.addition ?? addsNothing), page: json }, isOne)
}

export const addsNothing: Addition = Object.freeze({
  where: undefined, order: undefined, select: undefined, join: undefined, include: Object.freeze([]), page: undefined
})

/** Whether a filter says anything about its page. */
export const isPaged = ({ limit, skip, offset }: WrittenPage): boolean =>
  limit !== undefined || skip !== undefined || offset !== undefined

function additionOf (query: Query, json: Readonly<Filter>): Addition {
  return {
    where: query.where,
    order: isGiven(json.order) ? query.order : undefined,
    select: json.fields === undefined ? undefined : query.select,
    join: undefined,
    include: query.include,
    page: isPaged(json) ? json : undefined
  }
}

/**
 * A filter that stands in a definition, read once for each form of the model: a model that is changed is compiled
 * again, and its filters are read again then. What a function makes is not the same each time: that is for
 * `new OwnFilter`.
 */
export function ownFilter (model: QueriedModel, json: object): OwnFilter {
  const filters = filtersOf(model)
  let known = filters.get(json)
  if (known === undefined) filters.set(json, known = new OwnFilter(model, json))
  return known
}

/** Filters of definitions, by the object that they are written as. They hang on the compiled model and go with it. */
function filtersOf (model: QueriedModel): WeakMap<object, OwnFilter> {
  const holder = model as { [OWN_FILTERS]?: WeakMap<object, OwnFilter> }
  const known = holder[OWN_FILTERS]
  if (known !== undefined) return known
  const filters = new WeakMap<object, OwnFilter>()
  Object.defineProperty(model, OWN_FILTERS, { value: filters })
  return filters
}
