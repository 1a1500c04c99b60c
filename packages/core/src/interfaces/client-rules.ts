/** Which properties of a model clients may not set as they like (security.md, S-99), or do not see (S-195). */

export interface ClientRules {
  readonly readOnly: ReadonlySet<string>
  readonly writeOnce: ReadonlySet<string>
  /** What the store works out; of a new row nobody knows yet what that will be. */
  readonly computed: ReadonlySet<string>
  /** Properties that hold rows of models which have some, with the names of these models. */
  readonly nested: ReadonlyMap<string, string>
  /** Whether rows within a row have properties that clients do not see, and that stay where these are replaced. */
  readonly holdsUnseen: boolean
  /** Whether what they send all the same is refused; else it is left out. */
  readonly refuses: boolean
}
