/** A list of keys: each can be taken away, and the field adds one at the end. */
import { useEffect } from 'preact/hooks'
import { IconButton } from '../../components/button.js'
import { useData } from '../data-part.js'
import { choicesOf } from '../models/choices.js'
import type { KeysDraft } from './draft.js'
import { RowChooser } from './row-chooser.js'
import type { Attributes } from './text-control.js'

export function KeysControl ({ draft, id, attributes }: {
  readonly draft: KeysDraft, readonly id: string, readonly attributes: Attributes
}) {
  const { api, models, toasts } = useData()
  const { parts: { property: { name, schema } }, to, chosen } = draft
  useEffect(() => {
    choicesOf(chosen.peek().map(({ key }) => key), models.get(to.model), to.target, api).then(named => {
      chosen.value = chosen.peek().map(choice => named.find(({ key }) => key === choice.key) ?? choice)
    }, error => { toasts.fail(error) })
  }, [draft])
  const items = (schema.items ?? {}) as { readonly type?: unknown }
  return (
    <div class="keys">
      {chosen.value.length > 0 && (
        <ul class="chips" aria-label={`Rows in ${name}`}>
          {chosen.value.map(choice => (
            <li class="chip" key={String(choice.key)}>
              <span>{choice.label}</span>
              <IconButton
                label={`Without: ${choice.label}`} icon="x"
                onClick={() => {
                  chosen.value = chosen.peek().filter(each => each !== choice)
                  document.getElementById(id)?.focus()
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <RowChooser
        id={id} name={name} to={to} chosen={undefined} hasTextKeys={items.type === 'string'} isForMore placeholder="Add a row"
        attributes={attributes}
        onChoose={choice => {
          // A row is in the list once.
          const isNew = choice !== undefined && !chosen.peek().some(({ key }) => key === choice.key)
          if (isNew) chosen.value = [...chosen.peek(), choice]
        }}
      />
    </div>
  )
}
