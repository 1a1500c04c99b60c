/** The text of a statement, and what the server knows it by when it is prepared; undefined when it is not. */
export interface StatementText { readonly sql: string, readonly name: string | undefined }
