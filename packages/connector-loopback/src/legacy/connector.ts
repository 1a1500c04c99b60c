/** What connectors look like that were made for LoopBack's juggler. */

/** Node's callback. Some connectors hand over more than one result. */
export type Callback = (error?: unknown, ...results: unknown[]) => void

/** Where a connector keeps functions for the models that are attached to it (rest, soap, storage). */
export type DataAccessObject = object & { readonly prototype?: object }

/**
 * The connector that a module made. Every member may be missing; methods take a callback last, and most take options
 * before it.
 */
export interface LegacyConnector {
  name?: string
  dataSource?: unknown
  DataAccessObject?: DataAccessObject
  readonly relational?: unknown
  [member: string]: unknown
}
