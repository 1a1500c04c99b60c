/** A cell of a list that is edited: Enter saves, Escape does not, and who goes elsewhere saves as well. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { RefusedError } from '../../api/client.js'
import type { Data } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import { inlineKinds, kindOf } from '../models/kinds.js'
import { valueOf, type Property, type Row } from '../models/properties.js'
import { draftOf } from '../row/draft.js'
import { CellControl } from '../row/field.js'
import { complain, formValues } from '../row/form-values.js'
import { saveValue } from '../row/save-row.js'

/** Properties that cells can be edited of, by name: short ones that an update takes by themselves. */
export function inlineProperties (model: DataModel, data: Data): ReadonlyMap<string, Property> {
  const { update, facts: { id, keys } } = model
  if (id === undefined || !data.api.may(update)) return new Map()
  return new Map(model.fieldsOf(update)
    .filter(property => property.name !== id && property.schema.readOnly !== true && property.schema.format !== 'password' &&
      inlineKinds.has(kindOf(model, property, data.description)) &&
      !keys.some(({ key, discriminator }) =>
        discriminator !== undefined && [key, discriminator].includes(property.name)))
    .map(property => [property.name, property]))
}

/** Whether a value is one line. */
export const isOneLine = (value: unknown): boolean => typeof value !== 'string' || (!value.includes('\n') && value.length <= 500)

export function CellEditor ({ model, row, property, data, onEnd }: {
  readonly model: DataModel
  readonly row: Row
  readonly property: Property
  readonly data: Data
  /** Called when it is over; with whether the focus belongs to the cell again. */
  readonly onEnd: (isFocused: boolean) => void
}) {
  const { name } = property
  const { description, toasts } = data
  const seen = valueOf(row, name)
  const draft = useMemo(() => draftOf({ property, current: seen, model, description }), [])
  const root = useRef<HTMLDivElement>(null)
  const isBusy = useSignal(false)
  const isOver = useRef(false)
  useEffect(() => {
    const control = root.current?.querySelector<HTMLInputElement>('input, select, textarea')
    control?.focus()
    if (control instanceof HTMLInputElement) control.select()
  }, [])
  const end = (isFocused: boolean): void => {
    isOver.current = true
    onEnd(isFocused)
  }
  const commit = (isFocused: boolean): void => {
    if (isBusy.peek() || isOver.current) return
    const found = formValues([draft], row)
    if (found === undefined) {
      root.current?.querySelector('input')?.focus()
      return
    }
    if (Object.keys(found.values).length === 0) return end(isFocused)
    isBusy.value = true
    saveValue({ model, id: valueOf(row, model.facts.id ?? ''), name, value: found.values[name], seen }, data).then(
      () => { end(isFocused) },
      (error: unknown) => {
        isBusy.value = false
        const said = error instanceof RefusedError ? complain(error, [draft]) : String(error)
        toasts.fail(new Error(draft.errors.peek()[name] ?? said))
        root.current?.querySelector('input')?.focus()
      })
  }
  if (draft.kind !== 'text' && draft.kind !== 'key') return null
  const error = valueOf(draft.errors.value, name)
  return (
    <div
      class="cell-editor" ref={root} aria-busy={isBusy.value}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.defaultPrevented) return
        if (event.key === 'Enter') commit(true)
        else if (event.key === 'Escape') end(true)
        else return
        event.preventDefault()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && root.current?.contains(relatedTarget) === true)) commit(false)
      }}
    >
      <CellControl draft={draft} id="cell-editor" label={name}/>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
    </div>
  )
}
