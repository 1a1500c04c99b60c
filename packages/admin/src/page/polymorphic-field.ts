/** The key of a polymorphic relation: the model is chosen first and then the row, and both are sent together. */
import type { KeyFacts } from '@fastback/ui/model-facts'
import { emptied, FieldError, type FieldParts } from './editor.js'
import { element } from './explorer/shared.js'
import type { FormField } from './fields.js'
import { frame } from './frame.js'
import { wayOf } from './models.js'
import { rowChooser, type RowChooser } from './row-chooser.js'

/**
 * @param parts of the key
 * @param named of the property that names the model
 */
export function polymorphicField (parts: FieldParts, named: FieldParts, facts: KeyFacts): FormField {
  const { id, property, context: { api, fail, models } } = parts
  const { name, schema, required } = property
  const current = typeof named.current === 'string' ? named.current : ''
  // A model that is not to be seen here stays where it is.
  const names = [...new Set(['', ...facts.to.map(({ model }) => model), current])]
  const select = element('select', {},
    ...names.map(each => element('option', { value: each, selected: each === current }, each)))
  const ofModel = frame(select, undefined, {
    id: `${id}-model`, name: named.property.name, required: named.property.required, kind: 'a model', hint: ''
  })
  const row = element('div', {})
  let chooser: RowChooser | undefined
  let ofRow = { complain: (_text: string): void => {} }
  const draw = (): void => {
    const model = select.value
    chooser = undefined
    ofRow.complain('')
    if (model === '') {
      row.replaceChildren()
      return
    }
    const to = wayOf(facts, model)
    chooser = rowChooser({
      id,
      other: models.get(to?.model),
      target: to?.target ?? 'id',
      api,
      fail,
      // The key of a row of another model is none of this one's.
      current: model === current ? parts.current : undefined,
      hasTextKeys: schema.type === 'string'
    })
    const framed = frame(chooser.control, chooser.beside, { id, name, required, kind: `a row of ${model}`, hint: '' })
    ofRow = framed
    row.replaceChildren(framed.element)
  }
  select.addEventListener('change', draw)
  draw()
  return {
    properties: [name, named.property.name],
    element: element('div', { class: 'together', role: 'group', 'aria-label': facts.name }, ofModel.element, row),
    values: () => {
      const model = select.value
      const key = chooser?.key()
      const isAsItWas = model === current && (parts.current ?? undefined) === undefined
      if (model !== '' && key === undefined && !isAsItWas) throw new FieldError(`must be a row of ${model}`)
      return {
        [named.property.name]: model === '' ? emptied(named) : model,
        [name]: key ?? emptied(parts)
      }
    },
    files: () => [],
    focus: () => { (chooser?.control ?? select).focus() },
    complain: (text, about) => { (about === name && chooser !== undefined ? ofRow : ofModel).complain(text) },
    clear: () => {
      ofModel.complain('')
      ofRow.complain('')
    }
  }
}
