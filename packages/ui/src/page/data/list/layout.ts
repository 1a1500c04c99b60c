/**
 * How the table of a model looks for who looks at it: columns, their widths, density, and views with names. Kept for
 * later visits.
 */
import type { DataModel } from '../models/models.js'
import type { Property } from '../models/properties.js'

export interface Layout {
  /** Names of the columns that are shown, in their order; empty: as they come. */
  readonly columns: readonly string[]
  /** Widths in pixels that somebody gave columns. */
  readonly widths: Readonly<Record<string, number>>
  readonly dense: boolean
}

/** A list with a name: the query of its address. */
export interface SavedView { readonly name: string, readonly query: string }

/** Columns that are shown unless somebody chooses others, and as many as may be. */
const fewColumns = 7
export const mostColumns = 30

/** Pixels that a column may be wide. */
const narrowest = 60
export const widest = 900

const noLayout: Layout = { columns: [], widths: {}, dense: false }

/** The id first, then what people know the row by; what fits into no cell comes last. */
export function rankedColumns ({ columns, labelled, facts: { id } }: DataModel): Property[] {
  const rank = ({ name, schema }: Property): number =>
    name === id ? 0 : name === labelled ? 1 : ['object', 'array', undefined].includes(schema.type as string) ? 3 : 2
  return [...columns].sort((one, other) => rank(one) - rank(other))
}

/**
 * The columns to show: those of the address, else those that were chosen last, else the first few.
 *
 * ```js
 * shownColumns(model, ['title', 'gone'], []) // the property title: others are not there
 * ```
 */
export function shownColumns (model: DataModel, named: readonly string[], chosen: readonly string[]): Property[] {
  const ranked = rankedColumns(model)
  for (const names of [named, chosen]) {
    const found = [...new Set(names)].flatMap(name => ranked.find(column => column.name === name) ?? [])
      .slice(0, mostColumns)
    if (found.length > 0) return found
  }
  return ranked.slice(0, fewColumns)
}

/** The columns with one of them in the position of another. */
export function moved (names: readonly string[], name: string, to: number): string[] {
  const others = names.filter(each => each !== name)
  others.splice(Math.max(0, to), 0, name)
  return others
}

/** What this browser keeps of lists of a model on this server. */
export class LayoutStore {
  constructor (
    private readonly model: string, private readonly storage: Pick<Storage, 'getItem' | 'setItem'>,
    private readonly page: string
  ) {}

  get layout (): Layout {
    const { columns, widths, dense } = this.#read('layout') as Partial<Record<keyof Layout, unknown>>
    const wide = widths === null || typeof widths !== 'object' ? [] : Object.entries(widths as object)
    return {
      columns: Array.isArray(columns) ? columns.filter((each): each is string => typeof each === 'string') : [],
      widths: Object.fromEntries(wide.filter((each): each is [string, number] => typeof each[1] === 'number')
        .map(([name, width]) => [name, inBounds(width)])),
      dense: dense === true
    }
  }

  set layout (layout: Layout) { this.#write('layout', layout) }

  get views (): readonly SavedView[] {
    const { views } = this.#read('views') as { readonly views?: unknown }
    return Array.isArray(views)
      ? (views as unknown[]).filter((each): each is SavedView => each !== null && typeof each === 'object' &&
          'name' in each && typeof each.name === 'string' && 'query' in each && typeof each.query === 'string')
      : []
  }

  set views (views: readonly SavedView[]) { this.#write('views', { views }) }

  #key (what: string): string { return `fastback.data.${what} ${this.page} ${this.model}` }

  /** What others wrote there is nothing. */
  #read (what: string): object {
    try {
      const value: unknown = JSON.parse(this.storage.getItem(this.#key(what)) ?? '{}')
      return value !== null && typeof value === 'object' ? value : noLayout
    } catch {
      return noLayout
    }
  }

  /** A full or forbidden storage forgets it with the page. */
  #write (what: string, value: object): void {
    try {
      this.storage.setItem(this.#key(what), JSON.stringify(value))
    } catch { /* It holds until the page is left. */ }
  }
}

export const inBounds = (width: number): number => Math.round(Math.min(widest, Math.max(narrowest, width)))
