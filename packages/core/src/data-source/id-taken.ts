/**
 * Whether an error of a create says that there is a row with the id: stores of others say 409, and no more.
 *
 * ```js
 * try { await createInstance(State.compiled, row) } catch (error) { if (!isIdTaken(error)) throw error }
 * ```
 */
export function isIdTaken (error: unknown): boolean {
  const { statusCode, code } = (error ?? {}) as { readonly statusCode?: unknown, readonly code?: unknown }
  return statusCode === 409 || code === 'DUPLICATE_ID'
}
