/** Shortcuts of the keyboard. */
import { useEffect } from 'preact/hooks'

/** Ctrl elsewhere, Cmd on Apple's keyboards. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export const modifier = isApple ? '⌘' : 'Ctrl'

/** Functions by their keys: `?`, `/`, `mod+k`. Those without a modifier are not taken while somebody writes. */
export type Keys = Readonly<Record<string, () => void>>

export function useKeys (keys: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      const isModified = isApple ? metaKey : ctrlKey
      if (altKey || (!isModified && (ctrlKey || metaKey)) || event.defaultPrevented) return
      if (!isModified && target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable], .editor')) return
      const act = keys[isModified ? `mod+${key.toLowerCase()}` : key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => { document.removeEventListener('keydown', press) }
  })
}
