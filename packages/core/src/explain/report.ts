/** What is told of a query: the statements that it took, how the database answers them, what index is missing. */

export interface QueryReport {
  /** Rows that were returned. */
  readonly rows: number
  /** How long it took, of which nothing is the explaining. */
  readonly milliseconds: number
  /** In the order in which stores were asked first. */
  readonly statements: readonly StatementReport[]
  /** Statements beyond the fifty that are told of. */
  readonly left: number
  readonly missingIndexes: readonly MissingIndex[]
}

export interface StatementReport {
  readonly dataSource: string
  /** The model that was read; undefined for statements of the application's own. */
  readonly model?: string
  /** SQL with its placeholders; of stores without statements what they were asked: `find`. */
  readonly statement: string
  /** The values, in the order of the placeholders: as JSON those that stand in the filter, of others the type. */
  readonly values: readonly string[]
  /** How often it ran, with whatever values. Values and plan are those of the first time. */
  readonly times: number
  readonly milliseconds: number
  /** Lines of the plan; empty where there is none. */
  readonly plan: readonly string[]
  /** Rows that the store looked at; null where it does not say. */
  readonly rowsRead: number | null
  /** Why there is no plan. */
  readonly note?: string
}

export interface MissingIndex {
  readonly model: string
  /** What it should be over, in this order. */
  readonly properties: readonly string[]
  /** Why, in words. */
  readonly reason: string
  /** What to add to the definition: `"indexes": { "city_1": { "keys": { "city": 1 } } }`; none where it is there. */
  readonly definition?: string
}
