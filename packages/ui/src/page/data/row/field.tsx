/** The field of a draft, with its label, what there is to know of it, and what is wrong with it. */
import { controlProps, Field } from '../../components/field.js'
import type { Schema } from '../../../contracts/openapi.js'
import { valueOf } from '../models/properties.js'
import { pairTarget, type Draft, type DraftParts, type KeyDraft, type PairDraft, type TextDraft } from './draft.js'
import { FileControl } from './file-field.js'
import { KeysControl } from './keys-field.js'
import { RowChooser } from './row-chooser.js'
import { TextControl, type Attributes } from './text-control.js'

/** @param id for the ids of its controls */
export function DraftField ({ draft, id, rowId }: {
  readonly draft: Draft, readonly id: string, readonly rowId: unknown
}) {
  if (draft.kind === 'pair') return <PairField draft={draft} id={id}/>
  const { parts } = draft
  const { name, required, schema } = parts.property
  const error = valueOf(draft.errors.value, name)
  const hint = hintOf(schema)
  const attributes = { ...controlProps({ id, required, hint, error }), name }
  return (
    <Field id={id} label={name} required={required} kind={kindText(draft)} hint={hint} error={error}>
      {draft.kind === 'text' && <TextControl draft={draft} id={id} attributes={attributes}/>}
      {draft.kind === 'key' && <KeyControl draft={draft} id={id} attributes={attributes}/>}
      {draft.kind === 'keys' && <KeysControl draft={draft} id={id} attributes={attributes}/>}
      {draft.kind === 'file' && <FileControl draft={draft} attributes={attributes} rowId={rowId}/>}
    </Field>
  )
}

/** The control of a draft without a label of its own, for a cell of a list. */
export function CellControl ({ draft, id, label }: {
  readonly draft: TextDraft | KeyDraft, readonly id: string, readonly label: string
}) {
  const error = Object.values(draft.errors.value)[0]
  const attributes = { 'aria-label': label, 'aria-invalid': error === undefined ? undefined : true, title: error }
  return draft.kind === 'text'
    ? <TextControl draft={draft} id={id} attributes={attributes} isInline/>
    : <KeyControl draft={draft} id={id} attributes={attributes}/>
}

const hasTextKeys = ({ property: { schema } }: DraftParts): boolean => schema.type === 'string'

const KeyControl = ({ draft, id, attributes }: {
  readonly draft: KeyDraft, readonly id: string, readonly attributes: Attributes
}) =>
  <RowChooser
    id={id} name={draft.parts.property.name} to={draft.to} chosen={draft.chosen.value}
    hasTextKeys={hasTextKeys(draft.parts)}
    attributes={attributes} onChoose={choice => { draft.chosen.value = choice }}
  />

/** The model is chosen first and then the row. */
function PairField ({ draft, id }: { readonly draft: PairDraft, readonly id: string }) {
  const { parts, named, facts, model, chosen, errors } = draft
  const [key, discriminator] = [parts.property, named.property]
  const begun = typeof named.current === 'string' ? named.current : ''
  // A model that is not to be seen here stays where it is.
  const names = [...new Set(['', ...facts.to.map(each => each.model), begun])]
  const to = pairTarget(draft)
  return (
    <div class="field-group" role="group" aria-label={facts.name}>
      <Field id={`${id}-model`} label={discriminator.name} required={discriminator.required} kind="a model" error={valueOf(errors.value, discriminator.name)}>
        <select
          {...controlProps({ id: `${id}-model`, required: discriminator.required, error: valueOf(errors.value, discriminator.name) })}
          name={discriminator.name} value={model.value}
          onChange={({ currentTarget }) => {
            model.value = currentTarget.value
            // The key of a row of another model is none of this one's.
            const current = parts.current
            chosen.value = currentTarget.value === begun && current !== undefined && current !== null && begun !== ''
              ? { key: current, label: String(current) }
              : undefined
            errors.value = {}
          }}
        >
          {names.map(name => <option key={name} value={name}>{name}</option>)}
        </select>
      </Field>
      {model.value !== '' && (
        <Field id={id} label={key.name} required={key.required} kind={`a row of ${model.value}`} error={valueOf(errors.value, key.name)}>
          <RowChooser
            key={model.value} id={id} name={key.name} to={to ?? { model: model.value, target: 'id' }} chosen={chosen.value}
            hasTextKeys={hasTextKeys(parts)}
            attributes={controlProps({ id, required: key.required, error: valueOf(errors.value, key.name) })}
            onChoose={choice => { chosen.value = choice }}
          />
        </Field>
      )}
    </div>
  )
}

const kindNames = {
  'yes-no': 'yes or no', number: 'number', moment: 'date and time', date: 'date', time: 'time', choice: 'one of a few', point: 'place',
  list: 'list', json: 'JSON', text: 'text'
} as const

function kindText (draft: Exclude<Draft, PairDraft>): string {
  if (draft.kind === 'text') return draft.of === 'number' && draft.parts.property.schema.type === 'integer' ? 'whole number' : kindNames[draft.of]
  if (draft.kind === 'file') return draft.multiple ? 'files' : 'file'
  return draft.kind === 'keys' ? `rows of ${draft.to.model}` : `a row of ${draft.to.model}`
}

function hintOf (schema: Schema): string | undefined {
  const { description, minLength, maxLength, minimum, maximum, pattern } = schema
  const texts = [
    typeof description === 'string' ? description.replace(/(?<![.!?:])$/, '.') : '',
    minLength === undefined ? '' : `At least ${String(minLength)} characters.`,
    maxLength === undefined ? '' : `At most ${String(maxLength)} characters.`,
    minimum === undefined ? '' : `At least ${String(minimum)}.`,
    maximum === undefined ? '' : `At most ${String(maximum)}.`,
    pattern === undefined ? '' : `Fits ${String(pattern)}.`
  ].filter(text => text !== '')
  return texts.length === 0 ? undefined : texts.join(' ')
}
