/** What a replica must have before it answers somebody who wrote. */
export interface Mark {
  /** When the write was done, by `performance.now()`. */
  readonly at: number
  /** Where the database had written to by then, where it tells that. */
  readonly position: bigint | undefined
}

/** The mark that stands for two. */
export function newest (one: Mark, other: Mark): Mark {
  const [later, earlier] = one.at < other.at ? [other, one] : [one, other]
  if (earlier.position === undefined || later.position === undefined) return { at: later.at, position: undefined }
  return { at: later.at, position: later.position > earlier.position ? later.position : earlier.position }
}
