/**
 * The explorer's modules. Compilers find them here; browsers are sent the explorer's own file of this name
 * (`packages/admin/src/plugin.ts`), as they know no packages.
 */
export * from '@fastback/explorer/page'
