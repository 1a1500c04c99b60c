/** Chooses a row of another model: a field that searches while one types (the combobox of WAI-ARIA). */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { KeyTarget } from '../../../contracts/model-facts.js'
import { useData } from '../data-part.js'
import { choicesFor, choicesOf, type Choice } from '../models/choices.js'

/** Milliseconds without typing before rows are looked for. */
const pause = 200

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
  const [text, setText] = useState<string | undefined>(undefined)
  const [options, setOptions] = useState<readonly Choice[]>([])
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const timer = useRef(0)
  const searches = useRef(0)
  useEffect(() => () => { window.clearTimeout(timer.current) }, [])
  useEffect(() => {
    // A key is called by its row's name where that can be read.
    if (chosen === undefined || chosen.label !== String(chosen.key) || isBlind) return
    let isCurrent = true
    choicesOf([chosen.key], other, target, api).then(([found]) => {
      if (isCurrent && found !== undefined && found.label !== chosen.label) onChoose(found)
    }, error => { toasts.fail(error) })
    return () => { isCurrent = false }
  }, [chosen?.key, to?.model, isBlind, api.token.value])

  const close = (): void => {
    setOpen(false)
    setActive(-1)
  }
  const choose = (choice: Choice | undefined): void => {
    setText(undefined)
    setSaid('')
    close()
    onChoose(choice)
  }
  const search = (wanted: string): void => {
    if (other === undefined) return
    const own = ++searches.current
    choicesFor(wanted.trim(), other, target, api).then(found => {
      if (own !== searches.current) return
      setOptions(found)
      setOpen(found.length > 0)
      setActive(-1)
      setSaid(found.length === 0 ? `No row of ${other.name} fits.` : `${found.length} ${found.length === 1 ? 'row fits' : 'rows fit'}.`)
    }, error => { setSaid(error instanceof Error ? error.message : String(error)) })
  }
  const typed = (value: string): void => {
    setText(value)
    window.clearTimeout(timer.current)
    if (isBlind) {
      if (!isForMore) onChoose(keyIn(value))
    } else timer.current = window.setTimeout(() => { search(value) }, pause)
  }
  const keyIn = (typed: string): Choice | undefined => {
    const key = typed.trim()
    return key === '' ? undefined : { key: hasTextKeys || !Number.isFinite(Number(key)) ? key : Number(key), label: key }
  }
  const left = (): void => {
    window.clearTimeout(timer.current)
    searches.current++
    close()
    if (isBlind && isForMore && text !== undefined && text !== '') choose(keyIn(text))
    if (isBlind || text === undefined) return
    // A text that was not chosen from the list is no row; an empty one is none.
    const exact = options.find(({ label, key }) => label === text || String(key) === text)
    if (exact !== undefined) choose(exact)
    else {
      setText(undefined)
      if (text === '' && !isForMore) onChoose(undefined)
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = options[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen && !isBlind) search(text ?? '')
      else if (options.length > 0) setActive((event.key === 'ArrowDown' ? active + 1 : active < 0 ? -1 : active - 1 + options.length) % options.length)
    } else if (event.key === 'Enter' && isOpen && option !== undefined) {
      event.preventDefault()
      choose(option)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setText(undefined)
      close()
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
        {isBlind ? `You may not read ${other?.name ?? 'this model'}: type the ${target} of the row.` : isOpen || text !== undefined ? said : ''}
      </p>
    </div>
  )
}
