/** Options of the framework's own reads within an operation: its transaction, without hooks and without the caller. */
export const quietly = (options: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> =>
  ({ notify: false, ...(options?.transaction === undefined ? {} : { transaction: options.transaction }) })

/** The same with hooks, for writes that others hear of. */
export const withTransaction = (options: Readonly<{ transaction?: unknown }> | undefined): Record<string, unknown> =>
  options?.transaction === undefined ? {} : { transaction: options.transaction }
