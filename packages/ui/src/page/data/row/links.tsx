/** Rows that rows in between join to one: shown, added and taken away, each at once. */
import { useEffect, useId, useState } from 'preact/hooks'
import type { LinkFacts } from '../../../contracts/model-facts.js'
import { RefusedError } from '../../api/client.js'
import type { Action } from '../../api/description.js'
import { Button, IconButton } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Notice } from '../../components/notice.js'
import { useData } from '../data-part.js'
import type { Choice } from '../models/choices.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { RowChooser } from './row-chooser.js'
import type { RelatedProps } from './related.js'

/** Rows that are shown at once. */
const most = 100

/** A section for each relation whose rows the caller may read. */
export function Links ({ model, row, id, addressOf }: RelatedProps & { readonly id: string }) {
  const { api } = useData()
  return (
    <>
      {model.facts.links.map(facts => {
        const { get } = model.linksOf(facts.name)
        return api.may(get, id)
          ? (
            <LinkSection
              key={facts.name} model={model} facts={facts} get={get} id={id} name={model.labelOf(row)}
              addressOf={addressOf}
            />
            )
          : null
      })}
    </>
  )
}

interface SectionProps {
  readonly model: DataModel
  readonly facts: LinkFacts
  readonly get: Action
  readonly id: string
  /** What the row is called that they are joined to. */
  readonly name: string
  readonly addressOf: RelatedProps['addressOf']
}

function LinkSection ({ model, facts, get, id, name, addressOf }: SectionProps) {
  const { api, models, toasts } = useData()
  const [rows, setRows] = useState<readonly Row[] | undefined>(undefined)
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [chosen, setChosen] = useState<Choice | undefined>(undefined)
  const field = useId()
  const other = models.get(facts.model)
  const { link, unlink } = model.linksOf(facts.name)
  const failed = (failure: unknown): void => {
    if (failure instanceof RefusedError) setError(failure.message)
    else toasts.fail(failure)
  }
  const read = async (): Promise<void> => {
    setRows((await api.call(get, { id, query: { filter: { limit: most + 1 } } })).value as Row[])
  }
  useEffect(() => { read().catch(failed) }, [id, facts.name])
  const change = (action: Action, key: unknown, done: string): void => {
    setBusy(true)
    setError('')
    api.call(action, { id, key }).then(async () => {
      await read()
      setChosen(undefined)
      toasts.tell(done)
      // What had the focus may be gone with its row.
      document.getElementById(field)?.focus()
    }).catch(failed).finally(() => { setBusy(false) })
  }
  return (
    <section class="pane-section" aria-labelledby={`${field}-name`}>
      <h3 id={`${field}-name`}>{facts.name}</h3>
      {rows?.length === 0 && <p class="quiet-text">None.</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul class="chips" aria-label={facts.name}>
          {rows.slice(0, most).map(related => {
            const key = valueOf(related, facts.target)
            const label = other?.labelOf(related) ?? String(key)
            return (
              <li class="chip" key={String(key)}>
                {other?.findById === undefined
                  ? <span>{label}</span>
                  : <a href={addressOf(facts.model, key)}>{label}</a>}
                {api.may(unlink, id) && (
                  <IconButton
                    label={`Take away ${label}`} icon="x" disabled={isBusy}
                    onClick={() => { change(unlink, key, `${label} was taken away from ${name}.`) }}
                  />
                )}
              </li>
            )
          })}
        </ul>
      )}
      {rows !== undefined && rows.length > most && <p class="hint">These are the first {most}.</p>}
      {api.may(link, id) && (
        <div class="adder">
          <Field id={field} label={`Add to ${facts.name}`} kind={`a row of ${facts.model}`}>
            <RowChooser
              id={field} name={`Add to ${facts.name}`} to={{ model: facts.model, target: facts.target }} chosen={chosen} onChoose={setChosen}
              hasTextKeys={other?.columns.find(column => column.name === facts.target)?.schema.type === 'string'}
            />
          </Field>
          <Button
            disabled={isBusy}
            onClick={() => {
              if (chosen === undefined) document.getElementById(field)?.focus()
              else change(link, chosen.key, `${chosen.label} was added to ${name}.`)
            }}
          >
            Add
          </Button>
        </div>
      )}
      {error !== '' && <Notice kind="bad">{error}</Notice>}
    </section>
  )
}
