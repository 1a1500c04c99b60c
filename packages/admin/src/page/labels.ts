/** What related rows are called, read for all rows of a list at once. */
import type { Api } from './api.js'
import { valueOf, type AdminModel, type Models, type Row } from './models.js'

/** Labels by property and key; a key without one is shown as it is. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>

export async function labelsOf (rows: readonly Row[], model: AdminModel, models: Models, api: Api): Promise<Labels> {
  const found = await Promise.all(model.facts.relations.filter(({ own }) => own).map(async ({ key, target, ...to }) => {
    const other = models.get(to.model)
    const keys = [...new Set(rows.map(row => valueOf(row, key)).filter(value => value !== null && value !== undefined))]
    const names = new Map<string, string>()
    if (other?.labelled === undefined || keys.length === 0 || !api.may(other.find)) return [key, names] as const
    const filter = { where: { [target]: { inq: keys } }, limit: keys.length }
    try {
      const { value } = await api.call(other.find, { query: { filter } })
      for (const row of value as Row[]) names.set(String(valueOf(row, target)), other.labelOf(row))
    } catch {
      // Who may not read the other rows sees their keys.
    }
    return [key, names] as const
  }))
  return new Map(found)
}
