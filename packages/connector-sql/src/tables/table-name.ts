/** A table, and where it is. */
export interface TableName {
  /** The schema, or of MySQL the database; undefined: where the data source looks. */
  readonly schema: string | undefined
  readonly name: string
}
