/** What types of columns are called in SQLite, and what becomes of them. */

export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric'

/** SQLite's rule from declared type to affinity. */
export function affinityOf (declaredType: string): Affinity {
  if (/INT/i.test(declaredType)) return 'integer'
  if (/CHAR|CLOB|TEXT/i.test(declaredType)) return 'text'
  if (declaredType === '' || /BLOB/i.test(declaredType)) return 'blob'
  return /REAL|FLOA|DOUB/i.test(declaredType) ? 'real' : 'numeric'
}

/** Whether a column keeps dates as numbers. */
export const keepsNumbers = (declaredType: string): boolean => /^(?:integer|numeric)$/.test(affinityOf(declaredType))

export const canonicalType = (type: string): string => type.toLowerCase().trim().replace(/(?<!\s)\s*([(),])\s*/g, '$1')
