import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request, as Node or Express has it. */
export type StorageRequest = IncomingMessage & {
  /** The address as the client has it, where something in front took a part of it away. */
  readonly originalUrl?: string
  readonly params?: Readonly<Record<string, string | undefined>>
  readonly accessToken?: { readonly userId?: unknown } | null
  /** The client's address, where something that knows of proxies has told it. */
  readonly ip?: string
  /** What rest leaves there: its request knows of proxies (`trustProxy`). */
  readonly remotingContext?: { readonly request?: { readonly ip?: string } }
}

/** The response, as Node or Express has it. */
export type StorageResponse = ServerResponse
