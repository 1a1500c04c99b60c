/** What a kind of caller may do, as a cell of the matrix. */
import type { ModelRights, RightsLine, RowsText } from '../../contracts/rights.js'

/** `some`: a part of the rows or of the properties. */
export type Extent = 'all' | 'some' | 'none'

export interface Cell {
  readonly extent: Extent
  /** The lines that say so; empty for `none`. */
  readonly lines: readonly RightsLine[]
  /** The wider kind of caller that it holds for; undefined where a rule names this one. */
  readonly from: string | undefined
}

export const everyone = '$everyone'

const isUnlimited = ({ rows, read, write = ['*'] }: RightsLine): boolean =>
  rows === 'all' && read.includes('*') && write.includes('*')

/** Whose lines hold for a kind of caller that has none of its own, the nearest first. */
const widerThan = (role: string): readonly string[] =>
  role === everyone ? [] : role === '$authenticated' || role === '$unauthenticated' ? [everyone] : ['$authenticated', everyone]

/** The cell of one method and one kind of caller. */
export function cellOf (lines: readonly RightsLine[], role: string): Cell {
  const from = [role, ...widerThan(role)].find(each => lines.some(line => line.role === each))
  const found = lines.filter(line => line.role === from && line.permission !== 'DENY')
  return {
    extent: found.length === 0 ? 'none' : found.some(isUnlimited) ? 'all' : 'some',
    lines: found,
    from: from === undefined || from === role ? undefined : from
  }
}

/** The methods of a model with their lines, in the order of the server. */
export function methodsOf ({ lines }: ModelRights): Array<{
  readonly method: string
  readonly accessType: string
  readonly lines: readonly RightsLine[]
}> {
  const methods = new Map<string, RightsLine[]>()
  for (const line of lines) methods.set(line.method, [...methods.get(line.method) ?? [], line])
  return [...methods].map(([method, own]) => ({ method, accessType: own[0]?.accessType ?? '', lines: own }))
}

/** What of one kind of access a caller has, over all methods of it. */
export function summaryOf (rights: ModelRights, role: string, accessType: string): Extent {
  const extents = methodsOf(rights)
    .filter(each => each.accessType === accessType)
    .map(({ lines }) => cellOf(lines, role).extent)
  if (extents.length === 0 || extents.every(each => each === 'none')) return 'none'
  return extents.every(each => each === 'all') ? 'all' : 'some'
}

/** Rows in a few words. */
export function rowsInWords (rows: RowsText): string {
  if (rows === 'all') return 'all rows'
  if (rows === 'own') return 'own rows'
  return typeof rows === 'string' ? rows : 'some rows'
}

/** Names of roles for people. */
const names: Readonly<Record<string, string>> = {
  $everyone: 'everyone', $authenticated: 'logged in', $unauthenticated: 'not logged in', $owner: 'owner'
}

export const roleName = (role: string): string => names[role] ?? role
