/** What an entry may have; whatever else is there is the strategy's. */
export interface ProviderOptions {
  readonly [key: string]: unknown
}

export interface Log { warn (details: object, message: string): void, info (details: object, message: string): void }
