/** What a list shows: a text and words to search, conditions with operators, each of which can be taken away. */
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
    wordsField(model, place, go),
    element('div', { class: 'tools' }, builder(model, description, place, go), columns),
    chips(place, go))
}

/** A part of the text that names a row. */
function searchField (model: AdminModel, place: ListState, go: (place: ListState) => void): HTMLElement | undefined {
  const { labelled } = model
  if (labelled === undefined || !model.isSearchable(labelled)) return undefined
  return textForm('search', `Search ${labelled}`, place.search, { maxlength: 200 }, search => { go({ ...place, search, skip: 0 }) })
}

/** Words of the model's text index: the rows that fit best are first, whatever the list was sorted by. */
function wordsField (model: AdminModel, place: ListState, go: (place: ListState) => void): HTMLElement | undefined {
  const { wordSearch } = model
  if (wordSearch === undefined) return undefined
  const { description, maxLength } = wordSearch as { description?: string, maxLength?: number }
  const hints = { title: description ?? '', maxlength: maxLength ?? 200 }
  return textForm('words', 'Search words', place.words, hints, words => { go({ ...place, words, order: '', skip: 0 }) })
}

function textForm (
  id: string, label: string, value: string, hints: { readonly title?: string, readonly maxlength: number },
  submit: (text: string) => void
): HTMLElement {
  const field = element('input', {
    type: 'search', id, value, autocomplete: 'off', spellcheck: 'false', 'aria-label': label, placeholder: label, ...hints
  })
  const form = element('form', { class: 'search', role: 'search' }, field,
    element('button', { type: 'submit', class: 'plain' }, 'Search'))
  form.addEventListener('submit', event => {
    event.preventDefault()
    submit(field.value.trim())
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
