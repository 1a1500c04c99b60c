/** What related rows are called, read for all rows of a list at once. */
import type { KeyTarget } from '../../../contracts/model-facts.js'
import type { Api } from '../../api/client.js'
import { choicesOf } from './choices.js'
import type { DataModel, Lead, Models } from './models.js'
import type { Row } from './properties.js'

/** Labels by where a key leads; a key without one is shown as it is. */
export type Labels = ReadonlyMap<string, string>

const wayText = ({ model, target }: KeyTarget): string => JSON.stringify([model, target])

export const leadText = (lead: Lead): string => `${wayText(lead)} ${String(lead.key)}`

export async function labelsOf (rows: readonly Row[], model: DataModel, models: Models, api: Api): Promise<Labels> {
  const leads = rows.flatMap(row => model.facts.keys.flatMap(({ key }) => model.leads(row, key)))
  const ways = new Map(leads.map(lead => [wayText(lead), lead]))
  const found = await Promise.all([...ways].map(async ([way, { model: name, target }]) => {
    const other = models.get(name)
    if (other?.labelled === undefined) return []
    const keys = new Set(leads.filter(lead => wayText(lead) === way).map(({ key }) => key))
    const choices = await choicesOf([...keys], other, target, api)
    return choices.map(({ key, label }) => [leadText({ model: name, target, key }), label] as const)
  }))
  return new Map(found.flat())
}
