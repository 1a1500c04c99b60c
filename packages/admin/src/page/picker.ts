/** Keys of rows of another model: one of them, or a list. */
import { choicesOf, type Choice } from './choices.js'
import { emptied, type Editor, type FieldParts } from './editor.js'
import { element } from './explorer/shared.js'
import type { KeyTarget } from '@fastback/ui/model-facts'
import { rowChooser, type ChooserParts } from './row-chooser.js'

type Common = Pick<ChooserParts, 'id' | 'other' | 'target' | 'api' | 'fail'>

const commonOf = ({ id, context: { api, fail, models } }: FieldParts, { model, target }: KeyTarget): Common =>
  ({ id, other: models.get(model), target, api, fail })

export function picker (parts: FieldParts, to: KeyTarget): Editor {
  const { current, property } = parts
  const chooser = rowChooser({ ...commonOf(parts, to), current, hasTextKeys: property.schema.type === 'string' })
  const { control, beside } = chooser
  return { control, beside, value: () => chooser.key() ?? emptied(parts) }
}

/** A list of keys: each can be taken away, and the field adds one at the end. */
export function listPicker (parts: FieldParts, to: KeyTarget): Editor {
  const { current, property: { schema, name } } = parts
  const common = commonOf(parts, to)
  const items = (schema.items ?? {}) as { readonly type?: unknown }
  let chosen: Choice[] = (Array.isArray(current) ? current as unknown[] : []).map(key => ({ key, label: String(key) }))
  const list = element('ul', { class: 'chips', 'aria-label': `Rows in ${name}` })
  const chooser = rowChooser({
    ...common,
    current: undefined,
    hasTextKeys: items.type === 'string',
    chose: choice => {
      // A row stands in the list once.
      if (!chosen.some(({ key }) => key === choice.key)) chosen = [...chosen, choice]
      chooser.clear()
      draw()
    }
  })
  chooser.control.placeholder = 'Add a row'
  const draw = (): void => {
    list.replaceChildren(...chosen.map(choice => {
      const off = element('button', { type: 'button', class: 'small', 'aria-label': `Without: ${choice.label}` }, '×')
      off.addEventListener('click', () => {
        chosen = chosen.filter(each => each !== choice)
        draw()
        chooser.control.focus()
      })
      return element('li', {}, element('span', {}, choice.label), off)
    }))
    list.hidden = chosen.length === 0
  }
  draw()
  choicesOf(chosen.map(({ key }) => key), common.other, common.target, common.api).then(named => {
    chosen = chosen.map(choice => named.find(({ key }) => key === choice.key) ?? choice)
    draw()
  }, common.fail)
  return {
    control: chooser.control,
    beside: element('div', {}, chooser.beside, list),
    value: () => {
      // Where rows cannot be searched, what was typed is the key of one more.
      const typed = chooser.key()
      const keys = [...chosen.map(({ key }) => key), ...typed === undefined ? [] : [typed]]
      return keys.length === 0 && (current === undefined || current === null) ? undefined : keys
    }
  }
}
