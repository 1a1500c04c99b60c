import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.js'

/**
 * A modal window while it is in the tree. Escape, its button and a click next to it close it; then the focus is where
 * it was.
 */
export function Dialog ({ title, size = 'small', onClose, children }: {
  readonly title: string
  readonly size?: 'small' | 'large'
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => { if (before instanceof HTMLElement) before.focus() }
  }, [])
  return (
    <dialog
      ref={dialog} class={size} aria-label={title} onCancel={event => { event.preventDefault(); onClose() }}
      onClick={({ target }) => { if (target === dialog.current) onClose() }}
    >
      <div class="dialog-body">
        <div class="dialog-head"><h2>{title}</h2><IconButton label="Close" icon="x" onClick={onClose}/></div>
        {children}
      </div>
    </dialog>
  )
}
