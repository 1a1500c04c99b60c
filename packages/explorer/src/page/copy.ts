/** A button that copies a text. */
import { element } from './dom.js'

/**
 * @param source what to copy: read when the button is pressed, and selected where the browser does not let pages copy
 */
export function copyButton (source: HTMLElement): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'small' }, 'Copy')
  button.addEventListener('click', () => {
    copy(source).then(done => {
      button.textContent = done ? 'Copied' : 'Selected'
    }).catch(() => { button.textContent = 'Copy' })
  })
  source.addEventListener('focusin', () => { button.textContent = 'Copy' })
  return button
}

/** False where the text is only selected: browsers give the clipboard to secure origins alone. */
async function copy (source: HTMLElement): Promise<boolean> {
  const text = source instanceof HTMLTextAreaElement ? source.value : source.textContent ?? ''
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    window.getSelection()?.selectAllChildren(source)
    return false
  }
}
