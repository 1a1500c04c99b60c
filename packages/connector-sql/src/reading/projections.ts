/** How the selections of one table are read: each is compiled once. */
import type { Selection } from '@fastback/core'
import { StatementCache } from '../statement-cache.js'
import type { Projection } from './projection.js'

export class Projections {
  readonly #bySelection = new WeakMap<Selection, Projection>()
  /** Clients choose properties, in a new object each time. */
  readonly #byContent = new StatementCache<Projection>(200)
  readonly #single = new Map<string, Selection>()
  #made = 0

  /** @param compile makes one; its number is part of statement keys */
  constructor (readonly compile: (select: Selection, number: number) => Projection) {}

  of (select: Selection): Projection {
    const known = this.#bySelection.get(select)
    if (known !== undefined) return known
    const content = JSON.stringify([select.names, select.extra])
    let projection = this.#byContent.get(content)
    if (projection === undefined) {
      projection = this.compile(select, this.#made++)
      this.#byContent.set(content, projection)
    }
    this.#bySelection.set(select, projection)
    return projection
  }

  /** The selection of one property: the same object each time, by which `of` finds what it made. */
  only (property: string): Selection {
    let select = this.#single.get(property)
    if (select === undefined) {
      select = { names: [property], extra: 'none' }
      this.#single.set(property, select)
    }
    return select
  }
}
