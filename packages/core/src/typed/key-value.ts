/** Functions of key-value models. */
import type { OperationCallback } from '../callbacks.js'

interface Ttl { readonly ttl?: number }
interface Match { readonly match?: string }

/** Times are milliseconds. Each function also takes a trailing callback. */
export interface KeyValueStatics {
  get: { (key: string): Promise<unknown>, (key: string, callback: OperationCallback): void }
  set: {
    (key: string, value: unknown, ttl?: number | Ttl): Promise<unknown>
    (key: string, value: unknown, callback: OperationCallback): void
    (key: string, value: unknown, ttl: number | Ttl, callback: OperationCallback): void
  }
  expire: {
    (key: string, ttl: number | Ttl): Promise<unknown>
    (key: string, ttl: number | Ttl, callback: OperationCallback): void
  }
  ttl: { (key: string): Promise<number | undefined>, (key: string, callback: OperationCallback): void }
  keys: { (filter?: Match): Promise<string[]>, (filter: Match, callback: OperationCallback<string[]>): void }
  iterateKeys (filter?: Match): AsyncIterable<string>
}
