/**
 * Whether an operation was asked for from outside: the mark that every remote call has on its options (security.md,
 * S-13).
 */
export const isExternal = (options: Readonly<Record<string, unknown>>): boolean =>
  options.prohibitHiddenPropertiesInQuery === true || options.fromOutside === true

/**
 * The options of the framework's own reads within an operation: its transaction, without hooks and without the mark of
 * the outside.
 */
export const quietly = (options: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> =>
  ({ notify: false, ...(options?.transaction === undefined ? {} : { transaction: options.transaction }) })

/** The same with hooks, for writes that others hear of. */
export const withTransaction = (options: Readonly<{ transaction?: unknown }> | undefined): Record<string, unknown> =>
  options?.transaction === undefined ? {} : { transaction: options.transaction }

/** The caller's options for a write that the framework checked itself. */
export const inProcess = (options: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> =>
  ({ ...options, prohibitHiddenPropertiesInQuery: false, fromOutside: false })
