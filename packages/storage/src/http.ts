import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request, as Node or Express has it. */
export type StorageRequest = IncomingMessage & {
  readonly params?: Readonly<Record<string, string | undefined>>
  readonly accessToken?: { readonly userId?: unknown } | null
}

/** The response, as Node or Express has it. */
export type StorageResponse = ServerResponse
