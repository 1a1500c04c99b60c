/** A row as it stands in a response, all that is included with it counted. */
export interface Weight {
  rows: number
  /** Characters, about. */
  bytes: number
  /** Those of the row alone. */
  readonly own: number
}
