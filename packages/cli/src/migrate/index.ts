/** `fastback migrate`: plans, files of statements, and what they do to the databases. */
export { migrate, planMigration, type Migrated, type MigrateOptions } from './migrate.js'
export { migrateRowSecurity, unsaidText, type RowSecurity, type RowSecurityOptions } from './row-security.js'
export { planLines, summaryOf } from './text.js'
