/** Which columns a table has, and in which order. */
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/button.js'
import type { Property } from '../models/properties.js'
import type { DataModel } from '../models/models.js'
import { mostColumns, moved, rankedColumns } from './layout.js'

/** Columns that are offered at once: of more, those that are searched. */
const most = 100

export function ColumnsPanel ({ model, shown, onChange, onReset }: {
  readonly model: DataModel
  readonly shown: readonly Property[]
  readonly onChange: (names: readonly string[]) => void
  readonly onReset: () => void
}) {
  const [text, setText] = useState('')
  const names = shown.map(({ name }) => name)
  const all = rankedColumns(model).map(({ name }) => name)
  const wanted = text.trim().toLowerCase()
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted)
  const others = all.filter(name => !names.includes(name) && fits(name))
  const isFull = names.length >= mostColumns
  return (
    <div class="panel columns-panel">
      {all.length > 12 && (
        <input
          type="search" aria-label="Search the columns" placeholder="Search the columns" value={text}
          onInput={({ currentTarget }) => { setText(currentTarget.value) }}
        />
      )}
      <ul>
        {names.filter(fits).map(name => {
          const index = names.indexOf(name)
          return (
            <li key={name}>
              <label class="check">
                <input
                  type="checkbox" checked disabled={names.length === 1}
                  onChange={() => { onChange(names.filter(each => each !== name)) }}
                /> {name}
              </label>
              <IconButton
                label={`Move ${name} to the front`} icon="arrow-up" disabled={index === 0}
                onClick={() => { onChange(moved(names, name, index - 1)) }}
              />
              <IconButton
                label={`Move ${name} to the back`} icon="arrow-down" disabled={index === names.length - 1}
                onClick={() => { onChange(moved(names, name, index + 1)) }}
              />
            </li>
          )
        })}
        {others.slice(0, most).map(name => (
          <li key={name}>
            <label class="check">
              <input type="checkbox" checked={false} disabled={isFull} onChange={() => { onChange([...names, name]) }}/> {name}
            </label>
          </li>
        ))}
      </ul>
      {others.length > most && <p class="hint">{others.length - most} more: search for them.</p>}
      {isFull && <p class="hint">A table has at most {mostColumns} columns.</p>}
      <div class="buttons end"><Button kind="quiet" icon="rotate-ccw" onClick={onReset}>As they come</Button></div>
    </div>
  )
}
