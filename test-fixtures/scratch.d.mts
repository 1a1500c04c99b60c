/** Names of the database servers that tests may use. */
export type Server = 'postgres' | 'mysql'

/** Where each is, and the variable that says so. */
export declare const servers: Readonly<Record<Server, { readonly variable: string, readonly url: string }>>

/** Runs statements one after the other on a connection of their own; the rows of the last one. */
export declare function execute (url: string, ...statements: string[]): Promise<Array<Record<string, unknown>>>

/** Whether a server answers. One that its variable names must: then the error is thrown. */
export declare function isReachable (server: Server): Promise<boolean>

/**
 * For tests that prove of the code what one server shows: without FASTBACK_TEST_FULL on PostgreSQL alone.
 * @returns why a test is left out; false where it runs
 */
export declare function whyLeftOut (server: Server): Promise<string | false>

export interface Scratch {
  readonly url: string
  /** Of the schema (PostgreSQL) or the database (MySQL). */
  readonly name: string
  remove (): Promise<void>
}

/** Makes an empty schema, or an empty database. Whoever made it removes it. */
export declare function makeScratch (server: Server): Promise<Scratch>
