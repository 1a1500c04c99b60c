/** A row as it is, where it is not to be changed; keys of other rows by what these are called. */
import { useEffect, useState } from 'preact/hooks'
import { JsonTree } from '../../components/json-tree.js'
import { useData } from '../data-part.js'
import { labelsOf, leadText, type Labels } from '../models/labels.js'
import type { DataModel } from '../models/models.js'
import type { Row } from '../models/properties.js'
import { useSlices } from '../../components/use-slices.js'

export function Facts ({ model, row }: { readonly model: DataModel, readonly row: Row }) {
  const { models, api, toasts } = useData()
  const [labels, setLabels] = useState<Labels>(new Map())
  const entries = Object.entries(row)
  const shown = useSlices(entries.length, 60)
  useEffect(() => { labelsOf([row], model, models, api).then(setLabels, error => { toasts.fail(error) }) }, [row])
  return (
    <dl class="facts">
      {entries.slice(0, shown).map(([name, value]) => {
        const leads = model.leads(row, name)
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {leads.length > 0
                ? leads.map(lead => labels.get(leadText(lead)) ?? String(lead.key)).join(', ')
                : value === null ? '' : typeof value === 'object' ? <JsonTree value={value}/> : String(value)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
