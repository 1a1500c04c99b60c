/** A value of a row in a table, shown as what it is. */
import type { ComponentChild } from 'preact'
import { Chip } from '../../components/chip.js'
import { coordinates, GeoMap } from '../../components/geo-map.js'
import { Icon } from '../../components/icon.js'
import { JsonTree, jsonSummary } from '../../components/json-tree.js'
import { Popover } from '../../components/popover.js'
import { Time } from '../../components/time.js'
import type { Data } from '../data-part.js'
import { isPoint, type Kind } from '../models/kinds.js'
import { leadText, type Labels } from '../models/labels.js'
import { clipped, type DataModel, type Lead } from '../models/models.js'
import { valueOf, type Property, type Row } from '../models/properties.js'
import { Picture } from '../row/picture.js'
import { filesIn } from '../row/stored-file.js'
import { ownAddress, rowAddress, type ListState } from './list-state.js'

/** Characters of a text, and items of a list, that a cell shows. */
const mostText = 120
const mostItems = 3

export interface CellProps {
  readonly model: DataModel
  readonly data: Data
  readonly state: ListState
  readonly labels: Labels
  readonly row: Row
  readonly property: Property
  readonly kind: Kind
}

export function Cell (props: CellProps): ComponentChild {
  const { model, row, property, kind } = props
  const { name } = property
  const value = valueOf(row, name)
  if (value === undefined || value === null) return <span class="nothing" aria-hidden="true">–</span>
  const leads = model.leads(row, name)
  if (leads.length > 0) return <Leads leads={leads} props={props}/>
  switch (kind) {
    case 'yes-no': return <span class={value === true ? 'mark yes' : 'mark'}><Icon name={value === true ? 'check' : 'minus'}/><span class="sr-only">{value === true ? 'yes' : 'no'}</span></span>
    case 'moment': return <Time value={String(value)}/>
    case 'choice': return <Chip value={String(value)} of={property.schema.enum as unknown[]}/>
    case 'file': return <Files props={props}/>
    case 'point': return <PointValue value={value} name={name}/>
    case 'list': return <Items value={value}/>
    default: return typeof value === 'object' ? <Folded value={value} name={name}/> : clipped(String(value), mostText)
  }
}

/** What the first cell of a row says: it leads to the row. */
export function titleText ({ model, row, property: { name }, labels }: CellProps): string {
  const leads = model.leads(row, name)
  if (leads.length > 0) return leads.map(lead => labels.get(leadText(lead)) ?? String(lead.key)).join(', ')
  const value = valueOf(row, name)
  const text = value === undefined || value === null || value === '' ? model.labelOf(row) : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return clipped(text, mostText)
}

function Leads ({ leads, props }: { readonly leads: readonly Lead[], readonly props: CellProps }) {
  const { model, data: { models }, state, labels, row } = props
  const { id } = model.facts
  const own = id === undefined ? undefined : valueOf(row, id)
  return (
    <span class="leads">
      {leads.slice(0, 20).map((lead, index) => {
        const text = labels.get(leadText(lead)) ?? String(lead.key)
        const other = models.get(lead.model)
        if (other?.findById === undefined || lead.target !== other.facts.id) return <span key={index}>{index > 0 && ', '}{text}</span>
        const address = own === undefined || own === null
          ? ownAddress(other.name, lead.key)
          : rowAddress(model.name, [{ model: model.name, id: own }, { model: other.name, id: lead.key }], state)
        return <span key={index}>{index > 0 && ', '}<a href={address} tabIndex={-1}>{text}</a></span>
      })}
      {leads.length > 20 && ` and ${leads.length - 20} more`}
    </span>
  )
}

function Files ({ props: { model, row, property } }: { readonly props: CellProps }) {
  const files = filesIn(valueOf(row, property.name))
  const { id = '' } = model.facts
  return (
    <span class="files">
      {files.slice(0, mostItems).map((file, index) => (
        <span class="file" key={index} title={String(file.name)}>
          <Picture
            model={model} property={property.name} rowId={valueOf(row, id)} file={file}
            multiple={property.schema.type === 'array'}
          />
          <span>{clipped(String(file.name), 40)}</span>
        </span>
      ))}
      {files.length > mostItems && ` +${files.length - mostItems}`}
    </span>
  )
}

function PointValue ({ value, name }: { readonly value: unknown, readonly name: string }) {
  if (!isPoint(value)) return typeof value === 'object' && value !== null ? <Folded value={value} name={name}/> : <>{String(value)}</>
  return (
    <Popover
      label={`${name}: ${coordinates(value.lat, value.lng)}`} icon="map-pin" text={coordinates(value.lat, value.lng)} buttonClass="cell-button"
      tabIndex={-1}
    >
      {() => <GeoMap lat={value.lat} lng={value.lng}/>}
    </Popover>
  )
}

function Items ({ value }: { readonly value: unknown }) {
  const items = Array.isArray(value) ? value as unknown[] : [value]
  if (items.length === 0) return <span class="nothing">none</span>
  return (
    <span class="items">
      {items.slice(0, mostItems).map((item, index) => <span class="chip" key={index}>{clipped(String(item), 30)}</span>)}
      {items.length > mostItems && <span class="quiet-text">+{items.length - mostItems}</span>}
    </span>
  )
}

const Folded = ({ value, name }: { readonly value: object, readonly name: string }) =>
  <Popover label={name} text={jsonSummary(value)} title={`Show ${name}`} buttonClass="cell-button mono" tabIndex={-1} wide>
    {() => <div class="json-panel"><JsonTree value={value} isOpen/></div>}
  </Popover>
