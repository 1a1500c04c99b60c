/** Failed attempts of a key. */
export interface FailureCount {
  readonly count: number
  readonly until: number
}
