import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.js'

/** A pane next to the main one, for one row or one operation; on a phone it covers the page. Escape closes it. */
export function SidePane ({ title, onClose, actions, children }: {
  readonly title: string
  readonly onClose: () => void
  /** Stand in its head, before the button that closes it. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => { pane.current?.focus() }, [title])
  return (
    <aside
      class="side-pane" ref={pane} tabIndex={-1} aria-label={title}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header><h2>{title}</h2>{actions}<IconButton label="Close" icon="x" onClick={onClose}/></header>
      <div class="side-pane-body">{children}</div>
    </aside>
  )
}
