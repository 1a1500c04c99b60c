/** What writing rows as text needs of a model. */
import type { RowModel } from './row-model.js'

export type StringifiedModel = Pick<
  RowModel,
  'properties' | 'propertyByName' | 'hidden' | 'protectedNames' | 'open' | 'relations'
>
