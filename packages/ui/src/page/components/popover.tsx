/** A button with a panel over the page, which is drawn while it is open. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.js'
import type { IconName } from './icon-names.js'

/** Pixels between the panel and the edges of the window. */
const margin = 8

export function Popover ({ label, icon, text, title = label, buttonClass = 'button quiet', wide = false, tabIndex, children }: {
  /** What the button and its panel are called. */
  readonly label: string
  readonly icon?: IconName
  /** Shown in the button. */
  readonly text?: ComponentChildren
  readonly title?: string
  readonly buttonClass?: string
  readonly wide?: boolean
  readonly tabIndex?: number
  readonly children: (close: () => void) => ComponentChildren
}) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = (): void => {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  useLayoutEffect(() => {
    const [button, shown] = [root.current?.querySelector('button'), panel.current]
    if (!isOpen || button == null || shown === null) return
    const place = (): void => {
      const at = button.getBoundingClientRect()
      const below = window.innerHeight - at.bottom
      const isBelow = below > 260 || below >= at.top
      const width = shown.offsetWidth
      shown.style.left = `${Math.max(margin, Math.min(at.left, window.innerWidth - width - margin))}px`
      shown.style.top = isBelow ? `${at.bottom + 4}px` : 'auto'
      shown.style.bottom = isBelow ? 'auto' : `${window.innerHeight - at.top + 4}px`
      shown.style.maxHeight = `${(isBelow ? below : at.top) - margin - 4}px`
    }
    place()
    const observer = new ResizeObserver(place)
    observer.observe(shown)
    window.addEventListener('resize', place)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', place)
    }
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return
    const first = panel.current?.querySelector<HTMLElement>('input, select, textarea, button, a, [tabindex]')
    ;(first ?? panel.current)?.focus()
    const outside = ({ target }: Event): void => {
      if (!(root.current?.contains(target as Node) ?? true)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => { document.removeEventListener('pointerdown', outside) }
  }, [isOpen])
  return (
    <div
      class="popover" ref={root}
      onKeyDown={event => {
        if (!isOpen) return
        // What is typed in the panel is not for what lies below.
        event.stopPropagation()
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <button
        type="button" class={`${buttonClass} ${text === undefined ? 'icon-only' : ''}`} aria-label={text === undefined ? label : undefined}
        title={title} aria-haspopup="dialog" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} tabIndex={tabIndex}
        onClick={() => { setOpen(!isOpen) }}
      >
        {icon !== undefined && <Icon name={icon}/>}{text !== undefined && <span>{text}</span>}
      </button>
      {isOpen && (
        <div class={`popover-panel ${wide ? 'wide' : ''}`} id={id} ref={panel} role="dialog" aria-label={label} tabIndex={-1}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
