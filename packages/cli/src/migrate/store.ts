/** A data source of an application, with the models whose rows it holds. */
import type { Connector, MigrationFile, MigrationPlan, StoredModel } from '@fastback/core'

type Found = Omit<MigrationPlan, 'dataSource'>

export const emptyPlan: Found = { changes: [], differences: [] }

export class Store {
  /** @param name as the application calls it */
  constructor (readonly name: string, readonly connector: Connector, readonly models: readonly StoredModel[]) {
    for (const model of models) connector.attach(model)
  }

  /** Stores without tables have nothing to plan. */
  async plan (allowDrop: readonly string[]): Promise<Found> {
    return await this.connector.plans?.plan(this.models, { allowDrop }) ?? emptyPlan
  }

  async isActual (): Promise<boolean> {
    return await this.connector.isActual(this.models)
  }

  /** Columns that may be dropped: `Table.column`. */
  async droppable (): Promise<string[]> {
    const { differences } = await this.plan([])
    return differences.filter(({ kind }) => kind === 'column' || kind === 'text index')
      .map(({ table, columns, name }) => `${table}.${name ?? columns.join()}`)
  }

  async pending (files: readonly MigrationFile[]): Promise<string[]> {
    return await this.connector.plans?.pending(files) ?? []
  }

  async applyFiles (files: readonly MigrationFile[]): Promise<string[]> {
    return files.length === 0 ? [] : await this.connector.plans?.applyFiles(this.models, files) ?? []
  }

  async update (allowDrop: readonly string[]): Promise<void> {
    await this.connector.autoupdate(this.models, { allowDrop })
  }

  async rebuild (): Promise<void> {
    await this.connector.automigrate(this.models)
  }
}
