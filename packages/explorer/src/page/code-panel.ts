/** The request that the fields make, as code to copy. */
import { copyButton } from './copy.js'
import { element, lazyDetails } from './dom.js'
import type { RequestForm } from './request-forms.js'

/**
 * @param id of the operation
 * @param forms made anew when a field changes
 */
export function codePanel (id: string, form: HTMLFormElement, forms: () => RequestForm[]): HTMLElement {
  return lazyDetails({ class: 'code' }, ['Code'], () => {
    const text = element('pre', { tabindex: 0, 'aria-label': 'Code' })
    const choice = element('select', { id: `${id}-code` })
    let chosen: string | undefined
    const show = (): void => {
      const all = forms()
      const form = all.find(({ name }) => name === chosen) ?? all[0]
      choice.replaceChildren(...all.map(({ name }) => element('option', { value: name, selected: name === form?.name }, name)))
      text.textContent = form?.text ?? ''
    }
    // Not for the form: its fields are as they were.
    choice.addEventListener('input', event => {
      event.stopPropagation()
      chosen = choice.value
      show()
    })
    form.addEventListener('input', show)
    show()
    return [
      element('p', { class: 'buttons' }, element('label', { for: choice.id }, 'Code for'), choice, copyButton(text)), text
    ]
  })
}
