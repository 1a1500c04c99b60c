import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.js'
import type { IconName } from './icon-names.js'

export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  /** Of a choice: whether it is the one that holds. */
  readonly checked?: boolean
  readonly run: () => void
}

/** A button that opens a list of things to do, by the keys of the ARIA menu button pattern. */
export function Menu ({ label, icon, text, items }: {
  readonly label: string
  readonly icon: IconName
  /** Shown next to the sign. */
  readonly text?: string
  readonly items: readonly MenuItem[]
}) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const itemsIn = (): HTMLElement[] => [...list.current?.querySelectorAll<HTMLElement>('button') ?? []]
  useEffect(() => {
    if (!isOpen) return
    itemsIn()[0]?.focus()
    const outside = ({ target }: Event): void => {
      if (!(root.current?.contains(target as Node) ?? true)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => { document.removeEventListener('pointerdown', outside) }
  }, [isOpen])
  const close = (): void => {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  const step = (by: number): void => {
    const all = itemsIn()
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + by + all.length) % all.length]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return
    const act = {
      Escape: close,
      ArrowDown: () => { step(1) },
      ArrowUp: () => { step(-1) },
      Tab: () => { setOpen(false) }
    }[event.key]
    if (act === undefined) return
    if (event.key !== 'Tab') event.preventDefault()
    act()
  }
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button" class={`button quiet ${text === undefined ? 'icon-only' : ''}`} aria-label={label} title={label}
        aria-haspopup="menu" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined}
        onClick={() => { setOpen(!isOpen) }}
      >
        <Icon name={icon}/>{text !== undefined && <span>{text}</span>}
      </button>
      {isOpen && (
        <ul class="menu-list" role="menu" id={id} ref={list} aria-label={label}>
          {items.map(({ label, icon, danger = false, checked, run }) => (
            <li role="none" key={label}>
              <button
                type="button" role={checked === undefined ? 'menuitem' : 'menuitemradio'} aria-checked={checked}
                class={danger ? 'danger' : ''} tabIndex={-1} onClick={() => { close(); run() }}
              >
                {icon !== undefined && <Icon name={icon}/>}<span>{label}</span>
                {checked === true && <Icon name="check"/>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
