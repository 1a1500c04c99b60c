/** The control of what can be typed, or chosen of few. */
import { useState } from 'preact/hooks'
import { Button } from '../../components/button.js'
import { Editor } from '../../components/editor/editor.js'
import { GeoMap } from '../../components/geo-map.js'
import { JsonTree } from '../../components/json-tree.js'
import { useUi } from '../../ui.js'
import { valueOf } from '../models/properties.js'
import type { TextDraft } from './draft.js'
import { sizeText } from './stored-file.js'

export type Attributes = Readonly<Record<string, unknown>>

const inputTypes = { date: 'date', time: 'time', moment: 'datetime-local' } as const

/** Letters from which on a text is shown before it is edited: an editor takes long to lay them out. */
const large = 100_000

/** @param isInline it is in a cell of a list, where there is place for a line */
export function TextControl ({ draft, id, attributes, isInline = false }: {
  readonly draft: TextDraft
  readonly id: string
  readonly attributes: Attributes
  readonly isInline?: boolean
}) {
  const { of, text, choices } = draft
  const onInput = ({ currentTarget }: { readonly currentTarget: { value: string } }): void => {
    text.value = currentTarget.value
  }
  if (choices !== undefined) return <ChoiceControl draft={draft} attributes={attributes}/>
  if (text.peek().length > large && (of === 'json' || of === 'text')) return <LargeControl draft={draft} attributes={attributes}/>
  if (of === 'json') return <JsonControl draft={draft} id={id}/>
  if (of === 'moment' || of === 'date' || of === 'time') return <MomentControl draft={draft} attributes={attributes}/>
  if (of === 'list' || (of === 'text' && isLong(draft) && !isInline)) {
    return (
      <textarea
        class={of === 'text' ? 'prose' : ''} rows={of === 'text' ? 5 : Math.min(8, Math.max(2, text.value.split('\n').length))} spellcheck={false}
        value={text.value} placeholder={of === 'list' ? 'One value a line' : undefined} onInput={onInput} {...attributes}
      />
    )
  }
  if (isSecret(draft)) {
    return <input type="password" autocomplete="new-password" value={text.value} onInput={onInput} {...attributes}/>
  }
  return (
    <>
      <input
        type="text" inputMode={of === 'number' ? 'decimal' : draft.parts.property.schema.format === 'email' ? 'email' : undefined}
        placeholder={of === 'point' ? 'latitude, longitude' : undefined} autocomplete="off"
        value={text.value} onInput={onInput} {...attributes}
      />
      {of === 'point' && <PointMap text={text.value}/>}
    </>
  )
}

/** A text that nobody wants to wait for: its beginning, or its tree, until somebody wants to edit it. */
function LargeControl ({ draft: { of, text, parts: { current, property: { name } } }, attributes }: {
  readonly draft: TextDraft, readonly attributes: Attributes
}) {
  const [isEdited, setEdited] = useState(false)
  if (isEdited) {
    return (
      <textarea
        rows={12} spellcheck={false} value={text.peek()} {...attributes}
        onInput={({ currentTarget }) => { text.value = currentTarget.value }}
      />
    )
  }
  return (
    <div class="large-value">
      {of === 'json' ? <JsonTree value={current}/> : <p>{text.peek().slice(0, 500)}…</p>}
      <div class="buttons">
        <span class="quiet-text">{sizeText(text.peek().length)}</span>
        <Button kind="quiet" icon="pencil" onClick={() => { setEdited(true) }}>{`Edit ${name} as text`}</Button>
      </div>
    </div>
  )
}

function ChoiceControl ({ draft, attributes }: { readonly draft: TextDraft, readonly attributes: Attributes }) {
  const { text, choices = [], parts: { current, property } } = draft
  const mayBeEmpty = property.nullable || current === undefined || current === null
  return (
    <select value={text.value} onChange={({ currentTarget }) => { text.value = currentTarget.value }} {...attributes}>
      {mayBeEmpty && <option value=""/>}
      {choices.map((value, index) => (
        <option key={index} value={String(index)}>
          {value === true ? 'yes' : value === false ? 'no' : String(value)}
        </option>
      ))}
    </select>
  )
}

function MomentControl ({ draft, attributes }: { readonly draft: TextDraft, readonly attributes: Attributes }) {
  const { of, text, isBad } = draft
  if (of !== 'moment' && of !== 'date' && of !== 'time') return null
  const hasParts = of === 'moment' && /\.(?!0+$)\d+$/.test(text.value)
  return (
    <input
      type={inputTypes[of]} step={of === 'date' ? undefined : hasParts ? '0.001' : '1'} value={text.value} {...attributes}
      onInput={({ currentTarget }) => {
        isBad.value = currentTarget.validity.badInput
        text.value = currentTarget.value
      }}
    />
  )
}

/** JSON that is checked while it is typed, and completed by its schema. */
function JsonControl ({ draft, id }: { readonly draft: TextDraft, readonly id: string }) {
  const { description } = useUi()
  const { text, errors, parts: { property: { name, written } } } = draft
  return (
    <Editor
      id={id} label={name} value={text.value} schema={written} description={description}
      invalid={valueOf(errors.value, name) !== undefined}
      describedBy={valueOf(errors.value, name) === undefined ? undefined : `${id}-error`} onInput={value => { text.value = value }}
    />
  )
}

/** Where the point is that is typed. */
function PointMap ({ text }: { readonly text: string }) {
  const [lat, lng] = text.split(',').map(each => Number(each.trim() === '' ? Number.NaN : each))
  const isOnEarth = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return isOnEarth ? <GeoMap lat={lat} lng={lng}/> : null
}

const isSecret = ({ parts: { property: { name, schema } } }: TextDraft): boolean => name === 'password' || schema.format === 'password'

function isLong (draft: TextDraft): boolean {
  const { current, property: { schema } } = draft.parts
  const text = typeof current === 'string' ? current : ''
  return !isSecret(draft) && (text.includes('\n') || text.length > 100 || Number(schema.maxLength ?? 0) > 255)
}
