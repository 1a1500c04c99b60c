/** What tests call of models that they know by name only. */
export interface Rows {
  find (filter: object): Promise<unknown[]>
  findOne (filter: object): Promise<unknown>
  findById (id: unknown): Promise<unknown>
  create (data: object): Promise<unknown>
  destroyById (id: unknown): Promise<unknown>
}
