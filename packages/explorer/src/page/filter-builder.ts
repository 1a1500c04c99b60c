/** Makes a filter of choices: conditions, order, page, properties, and relations with what to read of them. */
import type { Schema } from '@fastback/ui/openapi'
import { conditionProperties, conditionRows, searchName, type Conditions } from './condition-rows.js'
import type { ApiDescription } from './description.js'
import { element } from './dom.js'
import { builtFrom } from './inputs.js'

type Part = Readonly<Record<string, unknown>>
interface Choice { readonly element: HTMLElement, value (): Part }

/**
 * @param id for the ids of fields
 * @param changed is given the filter as JSON; an empty text where nothing is chosen
 */
export function filterBuilder (
  schema: Schema, id: string, description: ApiDescription, changed: (json: string) => void
): HTMLElement {
  const { model, kind } = builtFrom(schema) ?? { model: '', kind: 'Where' }
  const properties = (description.schema(schema).properties ?? {}) as Readonly<Record<string, Schema>>
  const parts: Choice[] = []
  const tell = (): void => {
    const filter = Object.assign({}, ...parts.map(part => part.value())) as Part
    changed(Object.keys(filter).length === 0 ? '' : JSON.stringify(filter))
  }
  const where = kind === 'Where' ? schema : properties.where
  const names = conditionProperties(where ?? description.component(`${model}Where`), description).map(([name]) => name)
  if (where !== undefined) parts.push(whereChoice(where, description, kind === 'Where', model, tell))
  const ordered = where !== undefined && isSearched(where, description) ? [...names, '$rank DESC'] : names
  if (properties.order !== undefined) parts.push(orderChoice(ordered, tell))
  for (const name of ['limit', 'skip']) if (properties[name] !== undefined) parts.push(numberChoice(name, `${id}-${name}`, tell))
  if (properties.fields !== undefined && names.length > 0) parts.push(fieldsChoice(names, tell))
  if (properties.include !== undefined) parts.push(includeChoice(model, id, description, tell))
  return element('div', { class: 'builder', role: 'group', 'aria-label': 'Filter builder' }, ...parts.map(part => part.element))
}

const group = (title: string, ...children: HTMLElement[]): HTMLElement =>
  element('fieldset', {}, element('legend', {}, title), ...children)

function whereChoice (
  where: Schema, description: ApiDescription, isWhole: boolean, model: string, tell: () => void
): Choice {
  const conditions = conditionRows(where, description, '', tell, model)
  const words = isSearched(where, description)
    ? element('input', { type: 'search', 'aria-label': 'Words', placeholder: 'words "exact words" -not' })
    : undefined
  words?.addEventListener('input', tell)
  return {
    element: group('where', ...words === undefined ? [] : [element('div', { class: 'row' }, words)], conditions.element),
    value: () => {
      const searched = words === undefined || words.value === '' ? undefined : { [searchName]: words.value }
      const value = searched === undefined ? conditions.value() : { ...conditions.value(), ...searched }
      return value === undefined ? {} : isWhole ? value : { where: value }
    }
  }
}

/** Whether the model has a text index. */
const isSearched = (where: Schema, description: ApiDescription): boolean =>
  Object.hasOwn(description.schema(where).properties ?? {}, searchName)

function orderChoice (names: readonly string[], tell: () => void): Choice {
  const property = element('select', { 'aria-label': 'Order by' },
    ...['', ...names].map(name => element('option', { value: name }, name)))
  const direction = element('select', { 'aria-label': 'Direction' },
    ...['ASC', 'DESC'].map(name => element('option', { value: name }, name)))
  for (const each of [property, direction]) each.addEventListener('change', tell)
  return {
    element: group('order', element('div', { class: 'row' }, property, direction)),
    value: () => property.value === '' ? {} : { order: property.value.includes(' ') ? property.value : `${property.value} ${direction.value}` }
  }
}

function numberChoice (name: string, id: string, tell: () => void): Choice {
  const field = element('input', { type: 'number', min: 0, step: 1, id, class: 'number' })
  field.addEventListener('input', tell)
  return {
    element: element('div', { class: 'row' }, element('label', { for: id }, name), field),
    value: () => field.value === '' ? {} : { [name]: Number(field.value) }
  }
}

function fieldsChoice (names: readonly string[], tell: () => void): Choice {
  const boxes = names.map(name => checkbox(name, tell))
  return {
    element: group('fields', element('div', { class: 'row' }, ...boxes.map(({ label }) => label))),
    value: () => {
      const chosen = names.filter((_, index) => boxes[index]?.box.checked)
      return chosen.length === 0 ? {} : { fields: chosen }
    }
  }
}

function includeChoice (model: string, id: string, description: ApiDescription, tell: () => void): Choice {
  const relations = description.relations(model).map(({ name, target }) => {
    const { box, label } = checkbox(name, () => {
      scope.hidden = !box.checked
      tell()
    })
    const where = description.component(`${target}Where`)
    const conditions: Conditions | undefined = where.properties === undefined
      ? undefined
      : conditionRows(where, description, name, tell, target)
    const limit = numberChoice('limit', `${id}-${name}-limit`, tell)
    const scope = element('div', { class: 'scope', hidden: true }, conditions?.element, limit.element)
    return {
      element: element('div', {}, label, scope),
      value: (): unknown => {
        if (!box.checked) return undefined
        const found = conditions?.value()
        const read = { ...found === undefined ? {} : { where: found }, ...limit.value() }
        return Object.keys(read).length === 0 ? name : { relation: name, scope: read }
      }
    }
  })
  return {
    element: group('include', ...relations.map(relation => relation.element)),
    value: () => {
      const chosen = relations.map(relation => relation.value()).filter(value => value !== undefined)
      return chosen.length === 0 ? {} : { include: chosen.length === 1 ? chosen[0] : chosen }
    }
  }
}

function checkbox (name: string, tell: () => void): { box: HTMLInputElement, label: HTMLElement } {
  const box = element('input', { type: 'checkbox' })
  box.addEventListener('change', tell)
  return { box, label: element('label', { class: 'choice' }, box, ` ${name}`) }
}
