/** Options of change feeds and of the streams that read them. */

export interface ChangeFeedOptions {
  /**
   * Changes kept for readers that are slow, or that come back with the number of the last one they saw. Default: 1000.
   */
  history?: number
  /**
   * Characters of JSON that these changes may have, all together; the last one is kept whatever it has. Default:
   * 1,048,576.
   */
  historySize?: number
  /** Rows of one bulk change that are told one by one. Default: 10,000. */
  bulkLimit?: number
  /** Milliseconds that changes are kept after the last listener has gone, for one that comes back. Default: 60,000. */
  linger?: number
}

export interface ChangeStreamOptions {
  /** Only changes of rows that match. Applied to the row as it is after the change (removals: as it was). */
  where?: unknown
  /**
   * Goes on after this change. When changes since then are no longer known, or were another process's, the stream
   * begins with a `ChangeGap`.
   */
  after?: number
  /**
   * Changes that a slow reader may be behind; the stream fails when there are more, or when they are kept no longer.
   * Default: 1000.
   */
  highWaterMark?: number
}
