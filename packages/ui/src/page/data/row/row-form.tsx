/** The form of a row: a field for each property, and every violation at its field. */
import { useSignal, type Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { RefusedError } from '../../api/client.js'
import type { Action } from '../../api/description.js'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { useData } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { draftsOf, isSameDraft, type Draft } from './draft.js'
import { DraftField } from './field.js'
import { bodyOf, complain, formValues, isChanged } from './form-values.js'
import { useUnsaved } from './unsaved.js'
import { useSlices } from '../../components/use-slices.js'

export interface FormProps {
  readonly model: DataModel
  /** The operation that the form is for. */
  readonly action: Action
  /** The row as it is; undefined for a new one. */
  readonly row: Row | undefined
  readonly rowId: unknown
  /** Text of the button that sends. */
  readonly send: string
  /** Sends what was typed; what it throws is shown. */
  readonly save: (body: unknown) => Promise<void>
  /** Stand after the button that sends. */
  readonly children?: ComponentChildren
  /** Whether the first field gets the focus; or the field of a property. */
  readonly focus?: string | true | undefined
}

export function RowForm ({ model, action, row, rowId, send, save, children, focus }: FormProps) {
  const { description, toasts } = useData()
  const error = useSignal('')
  const isBusy = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const begun = model.facts.defaults
  const before = useRef<readonly Draft[]>([])
  const drafts = useMemo(() => {
    const made = draftsOf(model.fieldsOf(action)
      .filter(({ name, schema }) => schema.readOnly !== true && (row === undefined || name !== model.facts.id))
      .map(property => ({ property, current: valueOf(row ?? begun, property.name), model, description })))
    // What is as it was, and as it is shown, stays: of a thousand fields few change.
    const there = new Map(before.current.map(draft => [draft.properties[0], draft]))
    return (before.current = made.map(draft => {
      const same = there.get(draft.properties[0])
      return same !== undefined && isSameDraft(same, draft) ? same : draft
    }))
  }, [model, action, row])
  const shown = useSlices(drafts.length, 40)
  const leave = useUnsaved(() => isChanged(drafts, row, begun))
  useEffect(() => {
    if (focus === undefined) return
    // After the pane around it has it.
    const frame = window.requestAnimationFrame(() => {
      const controls = [...form.current?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []]
      ;(controls.find(control => control.getAttribute('name') === focus) ?? controls[0])?.focus()
    })
    return () => { window.cancelAnimationFrame(frame) }
  }, [])
  const sent = async (): Promise<void> => {
    error.value = ''
    const found = formValues(drafts, row)
    if (found === undefined) return focusWrong()
    if (row !== undefined && Object.keys(found.values).length === 0 && found.files.length === 0) {
      error.value = 'Nothing was changed.'
      return
    }
    try {
      // From a new row the page goes on to the one that was made of it.
      const hold = row === undefined ? leave() : () => {}
      await save(bodyOf(found)).catch((failed: unknown) => {
        hold()
        throw failed
      })
    } catch (failed) {
      if (!(failed instanceof RefusedError)) throw failed
      error.value = complain(failed, drafts)
      focusWrong()
    }
  }
  /** What is wrong has the focus, once it says so. */
  const focusWrong = (): void => {
    window.requestAnimationFrame(() => {
      const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]') ?? form.current?.querySelector<HTMLElement>('button[type=submit]')
      wrong?.focus()
    })
  }
  const submit = (): void => {
    if (isBusy.peek()) return
    isBusy.value = true
    sent().catch((failed: unknown) => { toasts.fail(failed) }).finally(() => { isBusy.value = false })
  }
  return (
    <form
      class="row-form" noValidate ref={form}
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={event => {
        const isSave = (event.ctrlKey || event.metaKey) && (event.key === 'Enter' || event.key.toLowerCase() === 's')
        if (!isSave) return
        event.preventDefault()
        submit()
      }}
    >
      <FormError error={error}/>
      {drafts.slice(0, shown).map((draft, index) => <FormField key={draft.properties[0]} draft={draft} id={`field-${index}`} rowId={rowId}/>)}
      <div class="buttons row-actions">
        <Submit isBusy={isBusy} text={send}/>
        {children}
      </div>
    </form>
  )
}

/** A field that is drawn again only for another draft, or when its own signals change. */
const FormField = ({ draft, id, rowId }: { readonly draft: Draft, readonly id: string, readonly rowId: unknown }) =>
  useMemo(() => <DraftField draft={draft} id={id} rowId={rowId}/>, [draft, id, rowId])

// What reads a signal by itself is drawn alone.
const FormError = ({ error }: { readonly error: Signal<string> }) =>
  error.value === '' ? null : <Notice kind="bad">{error.value}</Notice>

const Submit = ({ isBusy, text }: { readonly isBusy: Signal<boolean>, readonly text: string }) =>
  <Button kind="primary" type="submit" disabled={isBusy.value}>{text}</Button>
