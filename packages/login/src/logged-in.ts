/** Who is logged in: ids of different user models are different people. */
export interface LoggedIn {
  readonly model: string
  /** As text, whatever the type of the ids. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** How (RFC 8176); undefined where nothing says. */
  readonly amr?: readonly string[] | undefined
  /** The id of the row of the access token that the login made. */
  readonly tokenId?: string | undefined
  /** For a logout at the provider. */
  readonly idToken?: string | undefined
  readonly entry?: string | undefined
}
