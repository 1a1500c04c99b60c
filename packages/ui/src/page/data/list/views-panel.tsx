/** Lists with names: what the address has of them, kept in this browser. */
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/button.js'
import type { SavedView } from './layout.js'

/** Views of a model. */
const most = 50

export function ViewsPanel ({ views, query, onChange, addressOf, close }: {
  readonly views: readonly SavedView[]
  /** The list as it is now. */
  readonly query: string
  readonly onChange: (views: readonly SavedView[]) => void
  readonly addressOf: (view: SavedView) => string
  readonly close: () => void
}) {
  const [name, setName] = useState('')
  const save = (): void => {
    const wanted = name.trim()
    if (wanted === '') return
    onChange([...views.filter(each => each.name !== wanted), { name: wanted, query }].slice(-most))
    setName('')
  }
  return (
    <div class="panel">
      {views.length === 0 && (
        <p class="quiet-text">Give this list a name, and its filters, order and columns are a click away.</p>
      )}
      <ul class="lines">
        {views.map(view => (
          <li key={view.name}>
            <a href={addressOf(view)} aria-current={view.query === query ? 'true' : undefined} onClick={close}>
              {view.name}
            </a>
            <IconButton
              label={`Forget ${view.name}`} icon="x" onClick={() => { onChange(views.filter(each => each !== view)) }}
            />
          </li>
        ))}
      </ul>
      <form
        class="one-line"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <input
          type="text" aria-label="Name of the view" placeholder="Name of the view" maxLength={80} value={name}
          onInput={({ currentTarget }) => { setName(currentTarget.value) }}
        />
        <Button type="submit" icon="save">Save</Button>
      </form>
    </div>
  )
}
