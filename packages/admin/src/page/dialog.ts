/** A question that is answered before anything happens. */
import { element } from './explorer/shared.js'

/** True when the person said yes; Escape means no. */
export async function confirmed (question: string, yes: string): Promise<boolean> {
  const sure = element('button', { type: 'submit', value: 'yes', class: 'danger' }, yes)
  const no = element('button', { type: 'submit', value: 'no', class: 'plain' }, 'Cancel')
  const dialog = element('dialog', { 'aria-label': question },
    element('form', { method: 'dialog' }, element('p', {}, question), element('p', { class: 'buttons' }, no, sure)))
  document.body.append(dialog)
  const before = document.activeElement
  dialog.showModal()
  no.focus()
  await new Promise<void>(resolve => { dialog.addEventListener('close', () => { resolve() }, { once: true }) })
  dialog.remove()
  if (before instanceof HTMLElement) before.focus()
  return dialog.returnValue === 'yes'
}
