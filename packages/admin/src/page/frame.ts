/** A control of a form with what is to be said of it, before and after it was sent. */
import { describedField, element, type Control } from './explorer/shared.js'

export interface Frame {
  readonly element: HTMLElement
  /** Shows what is wrong; an empty text for nothing. */
  complain (text: string): void
}

export interface FrameParts {
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly kind: string
  readonly hint: string
}

export function frame (control: Control, beside: HTMLElement | undefined, parts: FrameParts): Frame {
  const { id, required, hint } = parts
  const place = describedField(control, parts)
  if (beside !== undefined) place.append(beside)
  const error = element('p', { class: 'error', id: `${id}-error`, hidden: true })
  place.append(error)
  if (required) control.setAttribute('aria-required', 'true')
  return {
    element: place,
    complain: text => {
      error.textContent = text
      error.hidden = text === ''
      const said = [hint === '' ? '' : `${id}-hint`, text === '' ? '' : error.id].filter(each => each !== '').join(' ')
      control.setAttribute('aria-invalid', String(text !== ''))
      if (said === '') control.removeAttribute('aria-describedby')
      else control.setAttribute('aria-describedby', said)
    }
  }
}
