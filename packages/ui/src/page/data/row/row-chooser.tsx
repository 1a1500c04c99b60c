/** Chooses a row of another model: a field that searches while one types (the combobox of WAI-ARIA). */
import { useEffect, useState } from 'preact/hooks'
import type { KeyTarget } from '../../../contracts/model-facts.js'
import { useData } from '../data-part.js'
import { choicesOf, type Choice } from '../models/choices.js'
import { useRowSearch } from './use-row-search.js'

export interface ChooserProps {
  readonly id: string
  readonly name: string
  readonly to: KeyTarget | undefined
  readonly chosen: Choice | undefined
  readonly onChoose: (choice: Choice | undefined) => void
  /** Whether keys are texts, also those that look like numbers. */
  readonly hasTextKeys: boolean
  /** Whether the field is empty again after a choice, for one more. */
  readonly isForMore?: boolean
  readonly placeholder?: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

export function RowChooser ({
  id, name, to, chosen, onChoose, hasTextKeys, isForMore = false, placeholder, attributes = {}
}: ChooserProps) {
  const { api, models, toasts } = useData()
  const other = models.get(to?.model)
  const target = to?.target ?? 'id'
  const isBlind = other === undefined || !api.may(other.find)
  const search = useRowSearch(other, target, api)
  const { options, active, isOpen } = search
  const [text, setText] = useState<string | undefined>(undefined)
  useEffect(() => {
    // A key is called by its row's name where that can be read.
    if (chosen === undefined || chosen.label !== String(chosen.key) || isBlind) return
    let isCurrent = true
    choicesOf([chosen.key], other, target, api).then(([found]) => {
      if (isCurrent && found !== undefined && found.label !== chosen.label) onChoose(found)
    }, error => { toasts.fail(error) })
    return () => { isCurrent = false }
  }, [chosen?.key, to?.model, isBlind, api.token.value])

  const choose = (choice: Choice | undefined): void => {
    setText(undefined)
    search.end()
    onChoose(choice)
  }
  const typed = (value: string): void => {
    setText(value)
    if (!isBlind) search.findSoon(value)
    else if (!isForMore) onChoose(keyIn(value, hasTextKeys))
  }
  /** Who may not read the rows types keys. */
  const leftBlind = (): void => {
    if (isForMore && text !== undefined && text !== '') choose(keyIn(text, hasTextKeys))
  }
  /** A text that was not chosen from the list is no row; an empty one is none. */
  const leftList = (): void => {
    if (text === undefined) return
    const exact = options.find(({ label, key }) => label === text || String(key) === text)
    if (exact !== undefined) return choose(exact)
    setText(undefined)
    if (text === '' && !isForMore) onChoose(undefined)
  }
  const left = (): void => {
    search.leave()
    if (isBlind) leftBlind()
    else leftList()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = options[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen && !isBlind) search.find(text ?? '')
      else search.step(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && isOpen && option !== undefined) {
      event.preventDefault()
      choose(option)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setText(undefined)
      search.close()
    }
  }
  useEffect(() => { document.getElementById(`${id}-option-${active}`)?.scrollIntoView({ block: 'nearest' }) }, [active])
  const shown = text ?? (isForMore ? '' : chosen?.label ?? '')
  return (
    <div class="chooser">
      <input
        type="text" id={id} name={name} role="combobox" aria-expanded={isOpen} aria-controls={`${id}-list`} aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${id}-option-${active}`} autocomplete="off" spellcheck={false} value={shown}
        placeholder={placeholder} onInput={({ currentTarget }) => { typed(currentTarget.value) }}
        onKeyDown={onKeyDown} onBlur={left}
        {...attributes}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={`Rows of ${other?.name ?? 'this model'}`} hidden={!isOpen}>
        {options.map((option, index) => (
          <li
            key={String(option.key)} id={`${id}-option-${index}`} role="option" aria-selected={index === active}
            // Before the field loses the focus.
            onMouseDown={event => {
              event.preventDefault()
              choose(option)
            }}
          >
            {option.label} <span class="kind">{String(option.key)}</span>
          </li>
        ))}
      </ul>
      <p class="hint" aria-live="polite">
        {isBlind ? `You may not read ${other?.name ?? 'this model'}: type the ${target} of the row.` : isOpen || text !== undefined ? search.said : ''}
      </p>
    </div>
  )
}

function keyIn (typed: string, isText: boolean): Choice | undefined {
  const key = typed.trim()
  return key === '' ? undefined : { key: isText || !Number.isFinite(Number(key)) ? key : Number(key), label: key }
}
