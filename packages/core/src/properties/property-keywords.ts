/** Keywords of a property, as validators read them. */
export type Keywords = Record<string, unknown>
