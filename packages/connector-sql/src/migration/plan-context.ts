/** What the parts of a plan share. */
import type { StoredModel } from '@fastback/core'
import type { CatalogueTable } from '../dialects/catalogue.js'
import type { Dialect } from '../dialects/dialect.js'
import type { Counts } from './counts.js'
import type { ActualTable, TableDesign } from './design.js'

export interface PlanContext {
  readonly dialect: Dialect
  readonly dataSource: string
  /** Wanted name of the extra column. */
  readonly extraColumn: string
}

/** A table, with the models whose rows it holds. */
export interface Shared {
  readonly models: ReadonlyArray<{ readonly model: StoredModel, readonly design: TableDesign }>
  readonly actual: ActualTable | undefined
  /** Undefined as well where the catalogue leaves the table out: a partition is no table of its own. */
  readonly catalogue: CatalogueTable | undefined
  readonly counts: Counts
}
