/** The dialects, each with the names that URLs (as their scheme) and data sources (`connector`) have for it. */
export const dialectNames = {
  sqlite: ['sqlite', 'sqlite3'],
  postgres: ['postgres', 'postgresql'],
  mysql: ['mysql', 'mariadb']
} as const

export type DialectName = keyof typeof dialectNames
