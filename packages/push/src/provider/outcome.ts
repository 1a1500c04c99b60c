/** What became of one message to one device. */

/** Reasons are codes of the services, never their texts: those may repeat a token (PU-78). */
export type Outcome =
  /** The service took it; `providerId` is its name there (`apns-id`, FCM's `name`). */
  | { readonly status: 'sent', readonly providerId?: string | undefined }
  /** It cannot be sent, whoever tries again. */
  | { readonly status: 'failed', readonly reason: string }
  /** The token leads to no device any more; `since` when the service says from when on. */
  | { readonly status: 'gone', readonly reason: string, readonly since?: Date | undefined }
  /** Its time to live was over before it was sent. */
  | { readonly status: 'expired', readonly reason: string }
  /** The service cannot take it now; `after` are milliseconds that it asks for. */
  | { readonly status: 'retry', readonly reason: string, readonly after?: number | undefined }

/** An outcome that is final, with how often it was tried. */
export type Result = Exclude<Outcome, { status: 'retry' }> & { readonly attempts: number }

/** A header `Retry-After` in milliseconds: seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfter (value: unknown, now = Date.now()): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const time = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(time) ? Math.max(0, time) : undefined
}

/** A reason of a service, as far as it is a code. */
export const reasonCode = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : otherwise
