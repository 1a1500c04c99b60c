import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request, as Node or Express has it. */
export type StorageRequest = IncomingMessage & {
  /** The address as the client has it, where something in front took a part of it away. */
  readonly originalUrl?: string
  readonly params?: Readonly<Record<string, string | undefined>>
  readonly accessToken?: { readonly userId?: unknown } | null
}

/** The response, as Node or Express has it. */
export type StorageResponse = ServerResponse
