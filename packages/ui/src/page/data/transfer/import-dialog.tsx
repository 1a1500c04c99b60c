/** Rows from a file: what its columns mean, a preview with what is wrong, and then one request for each row. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Icon } from '../../components/icon.js'
import { Notice } from '../../components/notice.js'
import { Progress } from '../../components/progress.js'
import { eachOf } from '../batch.js'
import { useData } from '../data-part.js'
import { clipped, type DataModel } from '../models/models.js'
import { valueOf, type Property, type Row } from '../models/properties.js'
import { reasonOf } from '../row/remove-rows.js'
import { checkAll, likelyMapping, type CheckedRow, type Mapping } from './import-check.js'
import { mostRecords, readSource, type ImportSource } from './import-source.js'

/** Rows and columns of the preview, and faults that are listed. */
const previewRows = 8
const previewColumns = 12
const mostFaults = 50

export function ImportDialog ({ model, onClose }: { readonly model: DataModel, readonly onClose: () => void }) {
  const [source, setSource] = useState<ImportSource | undefined>(undefined)
  const [error, setError] = useState('')
  const take = (file: File | undefined): void => {
    if (file === undefined) return
    setError('')
    readSource(file).then(setSource, (failed: unknown) => {
      setError(failed instanceof Error ? failed.message : String(failed))
    })
  }
  return (
    <Dialog title={`Import rows of ${model.name}`} size="large" onClose={onClose}>
      {error !== '' && <Notice kind="bad">{error}</Notice>}
      {source === undefined
        ? <FileDrop onFile={take}/>
        : <Plan model={model} source={source} onClose={onClose} onBack={() => { setSource(undefined) }}/>}
    </Dialog>
  )
}

function FileDrop ({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const [isOver, setOver] = useState(false)
  return (
    <label
      class={`drop large ${isOver ? 'over' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => { setOver(false) }}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        onFile(event.dataTransfer?.files[0])
      }}
    >
      <Icon name="upload"/>
      <span>Choose a file of CSV, JSON or NDJSON, or drop it here</span>
      <input
        type="file" accept=".csv,.tsv,.json,.ndjson,.jsonl,text/csv,application/json"
        onChange={({ currentTarget }) => { onFile(currentTarget.files?.[0]) }}
      />
    </label>
  )
}

interface PlanProps {
  readonly model: DataModel
  readonly source: ImportSource
  readonly onClose: () => void
  readonly onBack: () => void
}

function Plan ({ model, source, onClose, onBack }: PlanProps) {
  const { description } = useData()
  const properties = (model.create === undefined ? [] : model.fieldsOf(model.create)).filter(({ name, schema }) =>
    schema.readOnly !== true && !model.facts.files.includes(name))
  const [mapping, setMapping] = useState<Mapping>(() => likelyMapping(source.names, properties))
  const [rows, setRows] = useState<readonly CheckedRow[] | undefined>(undefined)
  const sending = useSending(model, onClose)
  useEffect(() => {
    const ended = new AbortController()
    setRows(undefined)
    checkAll(source, mapping, properties, model, description, ended.signal)
      .then(found => { if (!ended.signal.aborted) setRows(found) }, () => {})
    return () => { ended.abort() }
  }, [source, mapping])
  if (sending.done !== undefined && rows !== undefined) {
    return (
      <>
        <Progress label="Rows sent" done={sending.done} of={sending.of}/>
        <div class="buttons end"><Button onClick={() => { sending.stop() }}>Stop</Button></div>
      </>
    )
  }
  if (sending.faults.length > 0) {
    return (
      <>
        <Notice kind="warning">
          {sending.of - sending.faults.length} of {sending.of} rows were imported. These were refused:
        </Notice>
        <Faults faults={sending.faults}/>
        <div class="buttons end"><Button kind="primary" onClick={onClose}>Close</Button></div>
      </>
    )
  }
  const good = rows?.filter(({ errors }) => errors.length === 0) ?? []
  const faults = rows?.filter(({ errors }) => errors.length > 0) ?? []
  return (
    <>
      {source.isCut && (
        <Notice kind="warning">{`The file has more than ${mostRecords} rows: these are the first.`}</Notice>
      )}
      <Columns source={source} mapping={mapping} properties={properties} onChange={setMapping}/>
      {rows !== undefined && <Preview rows={rows} properties={properties}/>}
      {faults.length > 0 && (
        <>
          <Notice kind="bad">{faults.length === 1 ? 'One row is not right, and is left out:' : `${faults.length} rows are not right, and are left out:`}</Notice>
          <Faults faults={faults.map(({ at, errors }) => ({ at, reason: errors.join('; ') }))}/>
        </>
      )}
      <div class="buttons end">
        <Button kind="quiet" icon="arrow-left" onClick={onBack}>Another file</Button>
        <Button kind="primary" icon="upload" disabled={good.length === 0} onClick={() => { sending.send(good) }}>
          {good.length === 1 ? 'Import 1 row' : `Import ${good.length} rows`}
        </Button>
      </div>
    </>
  )
}

interface Fault { readonly at: number, readonly reason: string }

interface Sending {
  /** How many are sent; undefined while nothing is. */
  readonly done: number | undefined
  readonly of: number
  readonly faults: readonly Fault[]
  readonly send: (rows: readonly CheckedRow[]) => void
  readonly stop: () => void
}

/** Sends rows, and offers to take back what was made. */
function useSending (model: DataModel, onClose: () => void): Sending {
  const { api, part, toasts } = useData()
  const [done, setDone] = useState<number | undefined>(undefined)
  const [of, setOf] = useState(0)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const ended = useRef(new AbortController())
  useEffect(() => () => { ended.current.abort() }, [])
  const { create, remove, facts: { id = '' } } = model
  const takeBack = (ids: readonly unknown[]): void => {
    if (remove === undefined) return
    eachOf({ items: ids, work: async each => await api.call(remove, { id: each }) }).then(({ failed }) => {
      part.tell({ type: 'remove', model: model.name, id: ids[0] })
      if (failed[0] === undefined) toasts.tell('The imported rows are gone.')
      else toasts.fail(failed[0].error)
    }, () => {})
  }
  const send = (rows: readonly CheckedRow[]): void => {
    if (create === undefined) return
    const made: unknown[] = []
    setDone(0)
    setOf(rows.length)
    eachOf({
      items: rows, signal: ended.current.signal, onProgress: setDone,
      work: async ({ body }) => { made.push(valueOf(((await api.call(create, { body })).value ?? {}) as Row, id)) }
    }).then(({ done: sent, failed }) => {
      setDone(undefined)
      setFaults(failed.map(({ item, error }) => ({ at: item.at, reason: reasonOf(error) })))
      if (sent.length > 0) {
        part.tell({ type: 'create', model: model.name, id: made[0] })
        toasts.tell(sent.length === 1 ? '1 row was imported.' : `${sent.length} rows were imported.`,
          api.may(remove) ? { label: 'Undo', run: () => { takeBack(made) } } : undefined)
      }
      if (failed.length === 0) onClose()
    }, (error: unknown) => { toasts.fail(error) })
  }
  return { done, of, faults, send, stop: () => { ended.current.abort() } }
}

function Columns ({ source, mapping, properties, onChange }: {
  readonly source: ImportSource, readonly mapping: Mapping, readonly properties: readonly Property[],
  readonly onChange: (mapping: Mapping) => void
}) {
  return (
    <fieldset class="mapping">
      <legend>What the columns are</legend>
      {source.names.slice(0, 200).map((name, index) => (
        <div class="mapping-line" key={name}>
          <label for={`column-${index}`}>{name === '' ? '(no heading)' : name}</label>
          <Icon name="arrow-right"/>
          <select
            id={`column-${index}`} value={mapping[name]}
            onChange={({ currentTarget }) => {
              // A property gets its value from one column.
              const others = Object.entries(mapping).map(([each, to]) => [each, to === currentTarget.value ? '' : to])
              onChange({ ...Object.fromEntries(others) as Mapping, [name]: currentTarget.value })
            }}
          >
            <option value="">(leave out)</option>
            {properties.map(property => <option key={property.name} value={property.name}>{property.name}{property.required ? ' *' : ''}</option>)}
          </select>
        </div>
      ))}
    </fieldset>
  )
}

function Preview ({ rows, properties }: {
  readonly rows: readonly CheckedRow[], readonly properties: readonly Property[]
}) {
  const shown = rows.slice(0, previewRows)
  const names = properties.map(({ name }) => name)
    .filter(name => shown.some(({ body }) => Object.hasOwn(body, name))).slice(0, previewColumns)
  return (
    <div class="plain-table" tabIndex={0} role="region" aria-label="Preview">
      <table>
        <thead><tr><th scope="col">Line</th>{names.map(name => <th scope="col" key={name}>{name}</th>)}</tr></thead>
        <tbody>
          {shown.map(({ at, body, errors }) => (
            <tr key={at} class={errors.length > 0 ? 'deleted' : ''}>
              <th scope="row">{at}</th>{names.map(name => <td key={name}>{textOf(body[name])}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : clipped(typeof value === 'string' ? value : JSON.stringify(value), 60)

const Faults = ({ faults }: { readonly faults: readonly Fault[] }) =>
  <ul class="faults" aria-label="Rows that are not right">
    {faults.slice(0, mostFaults).map(({ at, reason }) => <li key={at}><strong>Line {at}</strong> {reason}</li>)}
    {faults.length > mostFaults && <li>and {faults.length - mostFaults} more</li>}
  </ul>
