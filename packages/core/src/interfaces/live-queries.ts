/** The live queries of a model (`live/live-feed.ts`). */
export interface LiveQueries {
  /** How many readers they have. */
  readonly size: number
}
