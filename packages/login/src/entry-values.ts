/** What the values of entries are taken for: files in JSON are checked by nobody before. */

/** A text that says something. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const scopeOf = (scope: unknown): string | undefined =>
  Array.isArray(scope) ? scope.join(' ') : textOf(scope)

/** A path without the slashes at its end; `/` stays. */
export const withoutSlash = (path: string): string => path.replace(/(?<=[^/])\/+$/, '')
