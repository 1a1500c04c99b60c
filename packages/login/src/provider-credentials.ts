/** What a row keeps of a provider (LG-56). */
export interface ProviderCredentials {
  readonly accessToken?: string
  readonly refreshToken?: string
  /** ISO 8601; absent where the provider did not say how long the token lasts. */
  readonly expiresAt?: string
}
