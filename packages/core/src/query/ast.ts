/**
 * The query AST: what a filter says once it has been read and checked.
 *
 * After the parser (`parse.ts`) nothing sees the client's JSON (security.md, S-20): names are known, values have the
 * property's type, operators come from the closed list below, limits have been checked. Connectors translate this and
 * nothing else, and every connector must answer as `match.ts` does.
 */
import type { StoredModel, StoredTextIndex } from '../definition/stored-model.js'
import type { PropertyType } from '../properties/types.js'
import type { IncludePath } from './include-path.js'

/**
 * Where in a row a condition looks. `path` is empty for the property itself, `['box', 'depth']` for `dims.box.depth`.
 */
export interface PropertyPath {
  /** Name of the property of the model (its first segment). */
  readonly property: string
  /** Further segments, walked into objects and into the elements of arrays. */
  readonly path: readonly string[]
  /** Type at the end of the path; kind `any` where the definition does not say. */
  readonly type: PropertyType
  /** False for a property that the definition does not have (open models keep such values). */
  readonly declared: boolean
  /** Whether the value is encrypted at rest: nothing but equality can be asked of it, and of `opaque` ones nothing. */
  readonly sealed?: 'opaque' | 'searchable'
  /**
   * What of a value found there takes part in the comparison; undefined: all of it. Rows of other models lose what the
   * caller may not see (S-78).
   */
  readonly visible?: (value: unknown) => unknown
}

/** A value in a condition, already of the property's type. Objects and arrays compare by deep equality. */
export type ConditionValue =
  string | number | bigint | boolean | Date | Buffer | null | readonly unknown[] | { readonly [key: string]: unknown }

/**
 * One test on one property. Rules that hold for every kind (behaviour.md, B-2.7 to B-2.9):
 * - `eq null` and `inq [null]` match `null` and missing; `neq x` and `nin […]` match null and missing unless the null
 *   is excluded
 * - ranges (`gt` … `between`), `like`, `regexp`, `near` never match null or missing; `nlike`/`nilike` match them
 * - on an array (or on a path through arrays) a positive test holds when one element passes; `neq`, `nin`, `nlike`,
 *   `nilike` are the
 *   negation of their positive form
 * - text compares by code units (binary), booleans false < true, dates by instant; values of unlike types never match a
 *   range
 */
export type Comparison =
  | {
    readonly kind: 'compare'
    readonly path: PropertyPath
    readonly op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
    readonly value: ConditionValue
    /** Whether the value takes part in an order or a group, and not only whether there is one. */
    readonly isShown?: boolean
    /** Whether texts that are equal for a store alone, and not for the reference, are not meant. Default: as it is. */
    readonly isExact?: boolean
  }
  | {
    readonly kind: 'in'
    readonly path: PropertyPath
    readonly op: 'inq' | 'nin'
    readonly values: readonly ConditionValue[]
    /** As for `compare`. */
    readonly isExact?: boolean
  }
  | {
    readonly kind: 'between'
    readonly path: PropertyPath
    readonly from: ConditionValue
    readonly to: ConditionValue
  }
  /**
   * SQL's LIKE: the whole text, `%` any run, `_` one character, `\` escapes. `ignoreCase` folds case by Unicode simple
   * folding.
   */
  | {
    readonly kind: 'like'
    readonly path: PropertyPath
    readonly negated: boolean
    readonly ignoreCase: boolean
    readonly pattern: string
  }
  /** A pattern of the RE2 syntax, searched anywhere in the text; length at most `limits.patternLength`. */
  | {
    readonly kind: 'regexp'
    readonly path: PropertyPath
    readonly source: string
    readonly ignoreCase: boolean
    readonly multiline: boolean
  }
  /** Great-circle distance in metres; without explicit `order` the rows come nearest first. */
  | {
    readonly kind: 'near'
    readonly path: PropertyPath
    readonly lat: number
    readonly lng: number
    readonly maxDistance?: number
    readonly minDistance?: number
  }
  | {
    readonly kind: 'exists'
    readonly path: PropertyPath
    readonly exists: boolean
    /** Written as MongoDB has it (`$exists`), which the model allows. */
    readonly extended?: boolean
  }
  /** An embedded row: one object found there passes the whole condition, whose paths begin in that object. */
  | {
    readonly kind: 'element'
    readonly path: PropertyPath
    /** Name of the relation that the rows are embedded by. */
    readonly relation: string
    readonly condition: Condition
  }

/** How many related rows must pass a condition. */
export type Quantifier = 'some' | 'every' | 'none'

/**
 * A condition on related rows, as it was written. The core turns it into one that stores can answer
 * (`operations/related-conditions.ts`): connectors never see it, and what tests single rows refuses it.
 */
export interface RelatedCondition {
  readonly kind: 'related'
  readonly relation: string
  readonly quantifier: Quantifier
  /** For each model that the relation may lead to: several where rows name their own. */
  readonly targets: readonly RelatedTarget[]
}

/** A condition on the related rows of one model. */
export interface RelatedTarget {
  readonly modelName: string
  /** As written, which hooks of `access` see. */
  readonly where: Readonly<Record<string, unknown>>
  /** What it was read as. */
  readonly condition: Condition | undefined
}

/**
 * Whether the same store has a row of `model` that passes `condition` and whose property `to` equals the row's property
 * `from`: SQL's `EXISTS`. Given only to connectors that say that they can answer it (`Connector.supportsLinks`).
 */
export interface LinkedCondition {
  readonly kind: 'linked'
  readonly from: string
  readonly model: StoredModel
  readonly to: string
  readonly condition: Condition | undefined
  /** Whether a rule of the caller looks there, which nothing narrows: a store that narrows callers must not. */
  readonly byRules?: boolean
}

/**
 * Words that a row must have, or must not, in the properties of its model's text index. Which words are equal is said
 * by `words.ts`, and by the engine where the index has a language other than `simple`.
 */
export interface SearchCondition {
  readonly kind: 'search'
  readonly index: StoredTextIndex
  /** At least one of them is not excluded. */
  readonly terms: readonly SearchTerm[]
  /** As written. */
  readonly text: string
}

/** One word, or several that stand one behind the other in one property. */
export interface SearchTerm {
  /** Folded, as `wordsOf` gives them; at least one. */
  readonly words: readonly string[]
  readonly excluded: boolean
}

export type Condition =
  | Comparison
  | RelatedCondition
  | LinkedCondition
  | SearchCondition
  /** An empty `and` is true; an empty `or` is false. */
  | {
    readonly kind: 'and' | 'or' | 'nor'
    readonly conditions: readonly Condition[]
    /** Whether rules of access ask it, for connectors that hand conditions on (`Connector.handsConditionsOn`). */
    readonly byRules?: boolean
  }

/** What related rows say about a row. The core reads it (`related-values.ts`), or makes it a `LinkedValue`. */
export interface RelatedValue {
  /** A condition that names the same relations and properties: who may not ask it may not ask for the value. */
  readonly condition: Condition
  /** Names of the relations on the way, each of the model that the one before leads to. */
  readonly relations: readonly string[]
  /** The property of the last model; undefined: how many rows the last relation leads to. */
  readonly path: PropertyPath | undefined
}

/** A value that a store finds in another table: SQL's scalar subquery. The first row in the order of the ids counts. */
export interface LinkedValue {
  /** The property of the row at hand, and that of the other one that equals it. */
  readonly from: string
  readonly model: StoredModel
  readonly to: string
  /** What the other rows must pass. */
  readonly condition: Condition | undefined
  /** The property there, what that row is linked to in turn, or how many different values all of them have in one. */
  readonly value: PropertyPath | LinkedValue | { readonly countOf: string }
}

/**
 * What rows are ordered by. Null and missing values, and those of related rows that there are not, are the smallest:
 * first ascending, last descending. Rows that compare equal keep the order of their ids.
 */
export type OrderTerm = PropertyOrder | RankOrder | RelatedOrder | LinkedOrder

/** By a property of the rows. */
/** By how well rows fit a search. */
export interface RankOrder {
  readonly rank: SearchCondition
  readonly descending: boolean
}

export interface PropertyOrder {
  readonly path: PropertyPath
  readonly descending: boolean
}

/** By what related rows say, as it was written. The core answers it (`operations/related-order.ts`). */
export interface RelatedOrder {
  readonly related: RelatedValue
  readonly descending: boolean
}

/** The same for a store that answers it. Given only to connectors that say so (`Connector.supportsLinkedOrder`). */
export interface LinkedOrder {
  readonly linked: LinkedValue
  readonly descending: boolean
}

/**
 * Which properties to read. The parser makes one object per distinct selection of a model and reuses it, so that
 * connectors may keep what they prepared in a WeakMap keyed by it.
 */
export interface Selection {
  /** Declared properties to read, in the order of the definition. */
  readonly names: readonly string[]
  /** Whether unknown properties (open models) are read too. */
  readonly extra: 'all' | 'none' | readonly string[]
}

/** A relation to load with the rows, with a query of its own. */
export interface IncludeNode {
  readonly relation: string
  /**
   * The scope's filter as given; it is parsed against the target model when that is known (polymorphic relations have
   * several).
   */
  readonly scope: Readonly<Record<string, unknown>> | undefined
  /** Whether the rows are counted, and do not come themselves. */
  readonly count?: boolean
  /** Whether it came from outside: hidden and protected properties are then refused in `scope`. */
  readonly external: boolean
  /**
   * What the scope was read as when it was judged, where the target model was known then. Hidden properties are
   * selected, if not shown, where the relation narrows the query.
   */
  readonly query?: Query | undefined
  /** The way to it, this relation included. */
  readonly includePath?: IncludePath | undefined
}

/** The periods that dates can be grouped by; weeks begin on Monday (ISO 8601). */
export type Period = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'

/** What rows are grouped by. */
export interface GroupTerm {
  /** Its name in the result. */
  readonly name: string
  /** Where the value lies: in the row, or in a related one. */
  readonly value: PropertyPath | RelatedValue
  readonly type: PropertyType
  /** For dates: the instant at which this period of the date begins is what counts. */
  readonly period?: Period
  /** IANA name of the time zone whose days, weeks … these are. Default: UTC. */
  readonly timeZone?: string
}

/** Which rows of a model with `softDelete` a query is about, beside those that are there. */
export type DeletedRows = 'only' | 'with'

/** A whole query on one model. */
export interface Query {
  readonly where: Condition | undefined
  readonly order: readonly OrderTerm[]
  /** Undefined: no limit. Never 0. */
  readonly limit: number | undefined
  readonly skip: number
  readonly select: Selection
  readonly include: readonly IncludeNode[]
  /**
   * The values of these, each combination once, in place of rows. The core answers it (`operations/aggregate.ts`): no
   * connector sees it.
   */
  readonly distinct?: readonly GroupTerm[]
  /**
   * Where the page begins, or ends if it lies in front of a row. The core answers it (`operations/cursor-page.ts`): no
   * connector sees it.
   */
  readonly cursor?: PageCursor
  /** Of a model with `softDelete`: whether rows that are put away are meant as well, or no others. */
  readonly deleted?: DeletedRows
}

/** Where a page is, by a row beside it. */
export interface PageCursor {
  readonly side: 'after' | 'before'
  /** As `operations/cursors.ts` wrote it; empty: the first page, or the last one. */
  readonly text: string
  /** What else the page's cursors hold for: conditions as they were written. */
  readonly written: unknown
}
