/** What a page asked for when it began a login. */
export interface CodeRequest {
  readonly challenge: string
  /** A page of this server that is registered for it; undefined: the entry's `successRedirect`. */
  readonly page?: string
}
