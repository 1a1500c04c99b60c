import type { DataSource } from '@fastback/core'

/** What tests of migrations call of a model by its name, whose functions the registry cannot type. */
export interface Rows {
  create (data: object): Promise<unknown>
  find (filter: object): Promise<object[]>
  count (): Promise<number>
}

export const rowsOf = (db: DataSource, name: string): Rows => db.registry.getModel(name) as unknown as Rows
