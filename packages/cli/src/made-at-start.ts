import type { DataSource } from '@fastback/core'

/** Whether a data source makes what its tables lack at the start. @param migrate its setting */
export const isMadeAtStart = (store: DataSource | undefined, migrate: unknown): boolean =>
  (migrate ?? store?.connector.defaultMigration) === 'update'
