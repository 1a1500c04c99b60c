/** A row that somebody else saved meanwhile: both sides of what was changed, and a choice for each. */
import { element } from './explorer/shared.js'
import type { Row } from './models.js'

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '(nothing)' : typeof value === 'string' ? value : JSON.stringify(value)

/**
 * The values that are to be saved over the row as it is now: all of `mine`, some of them, or none.
 * @returns undefined where the person wants to go on editing
 */
export async function settleConflict (mine: Row, theirs: Row): Promise<Row | undefined> {
  const names = Object.keys(mine).filter(name => textOf(mine[name]) !== textOf(theirs[name]))
  const boxes = names.map(name => element('input', { type: 'checkbox', checked: true, 'aria-label': `Keep my ${name}` }))
  const lines = names.map((name, i) => element('tr', {},
    element('th', { scope: 'row' }, name),
    element('td', {}, textOf(theirs[name])),
    element('td', {}, element('label', {}, boxes[i] as HTMLElement, ` ${textOf(mine[name])}`))))
  const button = (value: string, text: string, kind: string): HTMLButtonElement =>
    element('button', { type: 'submit', value, class: kind }, text)
  const question = 'Somebody else saved this row meanwhile.'
  const dialog = element('dialog', { 'aria-label': question }, element('form', { method: 'dialog' },
    element('p', {}, `${question} Choose the values of yours that are to be saved over theirs.`),
    element('table', {},
      element('thead', {}, element('tr', {},
        element('th', {}, ''), element('th', {}, 'Theirs'), element('th', {}, 'Keep mine'))),
      element('tbody', {}, ...lines)),
    element('p', { class: 'buttons' },
      button('cancel', 'Go on editing', 'plain'), button('theirs', 'Take theirs', 'plain'), button('chosen', 'Save what is chosen', ''))))
  document.body.append(dialog)
  const before = document.activeElement
  dialog.showModal()
  await new Promise<void>(resolve => { dialog.addEventListener('close', () => { resolve() }, { once: true }) })
  dialog.remove()
  if (before instanceof HTMLElement) before.focus()
  if (dialog.returnValue === 'theirs') return {}
  if (dialog.returnValue !== 'chosen') return undefined
  return Object.fromEntries(names.filter((_, i) => boxes[i]?.checked === true).map(name => [name, mine[name]]))
}
