/** What a list shows: a text to search, conditions with operators, each of which can be taken away. */
import { conditionProperties, conditionRows, element, type ApiDescription, type Child } from './explorer/shared.js'
import type { AdminModel } from './models.js'
import { wordsOf, type ListState } from './where.js'

/**
 * @param columns what stands beside the filter
 * @param go is called with the place that the list is to show
 */
export function listFilter (
  model: AdminModel, description: ApiDescription, place: ListState, columns: Child, go: (place: ListState) => void
): HTMLElement {
  return element('div', {},
    searchField(model, place, go),
    element('div', { class: 'tools' }, builder(model, description, place, go), columns),
    chips(place, go))
}

function searchField (model: AdminModel, place: ListState, go: (place: ListState) => void): HTMLElement | undefined {
  const { labelled } = model
  if (labelled === undefined || !model.isSearchable(labelled)) return undefined
  const field = element('input', {
    type: 'search', id: 'search', value: place.search, autocomplete: 'off', spellcheck: 'false',
    'aria-label': `Search ${labelled}`, placeholder: `Search ${labelled}`, maxlength: 200
  })
  const form = element('form', { class: 'search', role: 'search' }, field,
    element('button', { type: 'submit', class: 'plain' }, 'Search'))
  form.addEventListener('submit', event => {
    event.preventDefault()
    go({ ...place, search: field.value.trim(), skip: 0 })
  })
  return form
}

function builder (
  model: AdminModel, description: ApiDescription, place: ListState, go: (place: ListState) => void
): HTMLElement | undefined {
  if (conditionProperties(model.where, description).length === 0) return undefined
  const conditions = conditionRows(model.where, description, '', () => {}, model.name)
  const form = element('form', { class: 'builder' }, conditions.element,
    element('p', { class: 'buttons' }, element('button', { type: 'submit' }, 'Apply')))
  form.addEventListener('submit', event => {
    event.preventDefault()
    const where = conditions.value()
    if (where !== undefined) go({ ...place, where: [...place.where, where], skip: 0 })
  })
  return element('details', { class: 'nested' }, element('summary', {}, 'Filter'), form)
}

function chips (place: ListState, go: (place: ListState) => void): HTMLElement | undefined {
  if (place.where.length === 0) return undefined
  return element('ul', { class: 'chips', 'aria-label': 'Filters' }, ...place.where.map((where, index) => {
    const text = wordsOf(where)
    const off = element('button', { type: 'button', class: 'small', 'aria-label': `Without: ${text}` }, '×')
    off.addEventListener('click', () => {
      go({ ...place, where: place.where.filter((_, other) => other !== index), skip: 0 })
    })
    return element('li', {}, element('span', {}, text), off)
  }))
}
