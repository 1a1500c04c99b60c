/** Nested objects, lists and whatever else: JSON that is checked while it is typed. */
import { element } from './explorer/shared.js'
import { emptied, FieldError, type Editor, type FieldParts } from './editor.js'

export function jsonField (parts: FieldParts): Editor {
  const { current, property: { schema }, id } = parts
  const text = current === undefined || current === null ? '' : JSON.stringify(current, null, 2)
  const control = element('textarea', {
    rows: Math.min(12, Math.max(2, text.split('\n').length)), spellcheck: 'false', class: 'json'
  }, text)
  const said = element('p', { class: 'hint', id: `${id}-json`, 'aria-live': 'polite' })
  const read = (): unknown => {
    if (control.value.trim() === '') return emptied(parts)
    const value = parsed(control.value)
    const { type } = schema
    if (type === 'array' && !Array.isArray(value)) throw new FieldError('must be a list: [ … ]')
    if (type === 'object' && (typeof value !== 'object' || Array.isArray(value))) {
      throw new FieldError('must be an object: { … }')
    }
    return value
  }
  control.addEventListener('input', () => {
    try {
      said.textContent = read() === undefined ? '' : 'JSON, as it should be'
    } catch (error) {
      said.textContent = (error as Error).message
    }
  })
  return { control, beside: said, value: read }
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FieldError(`is no JSON: ${(error as Error).message}`)
  }
}
