/** Parts of a condition that a connector is asked for, and how they are put together. */

export type Where = Readonly<Record<string, unknown>>

/** A `where` matches every row that the condition matches, perhaps more. */
export type Pushed =
  /** No row can match. */
  | { readonly never: true }
  | {
    readonly never?: undefined
    /** Undefined: all rows. */
    readonly where: Where | undefined
    /** Whether it matches the rows of the condition and no others. */
    readonly exact: boolean
  }

export const everything: Pushed = { where: undefined, exact: false }
export const never: Pushed = { never: true }
export const exactly = (where: Where): Pushed => ({ where, exact: true })

/** Rows that match all parts. */
export function allOf (parts: readonly Pushed[]): Pushed {
  let exact = true
  const list: Where[] = []
  for (const part of parts) {
    if (part.never === true) return never
    exact &&= part.exact
    if (part.where !== undefined) list.push(part.where)
  }
  return { where: list.length > 1 ? { and: list } : list[0], exact }
}

/** Rows that match one of the parts. */
export function anyOf (parts: readonly Pushed[]): Pushed {
  let exact = true
  const list: Where[] = []
  for (const part of parts) {
    if (part.never === true) continue
    if (part.where === undefined) return { where: undefined, exact: part.exact }
    exact &&= part.exact
    list.push(part.where)
  }
  return list.length === 0 ? never : { where: list.length > 1 ? { or: list } : list[0], exact }
}
