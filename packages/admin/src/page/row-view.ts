/** One row: its form, what is related to it, and the button that deletes it. */
import { RefusedError, type ApiResponse } from './api.js'
import type { Context } from './context.js'
import { settleConflict } from './conflict.js'
import { confirmed } from './dialog.js'
import { element, type Child } from './explorer/shared.js'
import { historyOf } from './history.js'
import { labelsOf, leadText } from './labels.js'
import { linksOf } from './links.js'
import { watch } from './live.js'
import { valueOf, type AdminModel, type Row } from './models.js'
import { rolesOf } from './roles.js'
import { rowForm } from './row-form.js'
import { listAddress, nowhere, rowAddress } from './where.js'

export async function newView (model: AdminModel, context: Context, view: HTMLElement): Promise<void> {
  const { create } = model
  view.replaceChildren(top(model, `New ${model.name}`))
  if (create === undefined || !context.api.may(create)) {
    view.append(element('p', { class: 'error' }, `You may not make rows of ${model.name}.`))
    return
  }
  view.append(rowForm({
    model,
    action: create,
    row: undefined,
    rowId: undefined,
    context,
    send: 'Create',
    save: async body => {
      const { value } = await context.api.call(create, { body })
      const id = model.facts.id === undefined ? undefined : valueOf((value ?? {}) as Row, model.facts.id)
      const address = id === undefined ? listAddress(model.name, nowhere) : rowAddress(model.name, id)
      context.go(address, `${model.labelOf((value ?? {}) as Row)} was created.`)
    }
  }))
  view.querySelector<HTMLElement>('form input, form select, form textarea')?.focus()
}

/** @param signal ends with the view */
export async function rowView (
  model: AdminModel, id: string, context: Context, view: HTMLElement, signal: AbortSignal
): Promise<void> {
  const { api } = context
  const { findById } = model
  if (findById === undefined) throw new Error(`${model.name} has no rows to open.`)
  view.replaceChildren(top(model, `${model.name} ${id}`), element('p', {}, 'Reading …'))
  const draw = async (): Promise<void> => {
    const answer = await api.call(findById, { id })
    if (signal.aborted) return
    const row = (answer.value ?? {}) as Row
    shown = row
    news.hidden = true
    view.replaceChildren(element('div', {},
      top(model, model.labelOf(row)),
      news,
      body(model, row, id, answer, context, saved),
      related(model, row, context),
      ...linksOf(model, row, id, context),
      rolesOf(model, row, context),
      historyOf(model, id, answer, context, saved)))
  }
  let shown: Row = {}
  let isSaving = false
  const saved = async (change: () => Promise<unknown>): Promise<void> => {
    isSaving = true
    try {
      await change()
      await draw()
    } finally {
      isSaving = false
    }
  }
  const news = element('p', { class: 'notice', role: 'status', hidden: true })
  const again = element('button', { type: 'button', class: 'small' }, 'Read again')
  again.addEventListener('click', () => {
    news.hidden = true
    draw().catch(context.fail)
  })
  await draw()
  watch(model, api, undefined, {
    changed: ({ target, type, data }) => {
      // What this page saves itself is a change as well, and read again after that.
      if (String(target) !== id || isSaving || (data !== undefined && isWithin(data, shown))) return
      news.replaceChildren(type === 'remove' ? 'This row was deleted meanwhile. ' : 'This row was changed meanwhile. ', again)
      again.hidden = type === 'remove'
      news.hidden = false
    },
    missed: () => {},
    state: () => {}
  }, signal)
}

/** Whether a row is one that is shown, as far as it goes. */
const isWithin = (row: Row, shown: Row): boolean =>
  Object.keys(row).every(name => JSON.stringify(row[name]) === JSON.stringify(valueOf(shown, name)))

const top = (model: AdminModel, name: string): HTMLElement => element('div', { class: 'top' },
  element('p', { class: 'way' }, element('a', { href: listAddress(model.name, nowhere) }, model.name)),
  element('h2', {}, name))

function body (
  model: AdminModel, row: Row, id: string, { headers }: ApiResponse, context: Context,
  saved: (change: () => Promise<unknown>) => Promise<void>
): HTMLElement {
  const { api, say, go } = context
  const { update, remove } = model
  const tag = headers.get('etag')
  // Only the state that was seen is changed, where the API has a name for it.
  const conditions: Record<string, string> = tag === null ? {} : { 'if-match': tag }
  const buttons: HTMLElement[] = []
  if (api.may(remove, id)) {
    const button = element('button', { type: 'button', class: 'danger' }, 'Delete')
    const deleted = async (): Promise<void> => {
      const isFinal = model.restore === undefined
      if (!await confirmed(`Delete ${model.labelOf(row)}?${isFinal ? ' This cannot be undone.' : ''}`, 'Delete')) return
      await api.call(remove, { id, headers: conditions })
      go(listAddress(model.name, nowhere), `${model.labelOf(row)} was deleted.`)
    }
    button.addEventListener('click', () => {
      deleted().catch((error: unknown) => {
        context.fail(error)
        if (error instanceof RefusedError && error.isForbidden) button.remove()
      })
    })
    buttons.push(button)
  }
  if (!api.may(update, id)) {
    return element('div', {},
      element('p', { class: 'hint' }, `You may not change this row of ${model.name}.`), facts(model, row, context),
      element('p', { class: 'buttons' }, ...buttons))
  }
  /** Where somebody else saved the row meanwhile, both rows are shown, and what is chosen is saved over theirs. */
  const save = async (values: unknown, headers: Record<string, string>): Promise<void> => {
    try {
      await api.call(update, { id, body: values, headers })
    } catch (error) {
      if (!(error instanceof RefusedError) || error.now === undefined || values instanceof FormData) throw error
      const { row: theirs, tag } = error.now
      const chosen = await settleConflict(values as Row, theirs as Row)
      if (chosen === undefined) throw error
      if (Object.keys(chosen).length > 0) await save(chosen, tag === null ? {} : { 'if-match': tag })
    }
  }
  return rowForm({
    model,
    action: update,
    row,
    rowId: id,
    context,
    send: 'Save',
    save: async values => {
      // What was said of the save before is not taken for this one's.
      say('')
      await saved(() => save(values, conditions))
      say('Saved.')
    }
  }, ...buttons)
}

/** The row as it is, where it is not to be changed; keys of other rows by what these are called. */
function facts (model: AdminModel, row: Row, { models, api, fail }: Context): HTMLElement {
  const texts = Object.entries(row).map(([name, value]) => {
    const text = element('dd', {}, value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value))
    return { name, text, leads: model.leads(row, name) }
  })
  labelsOf([row], model, models, api).then(labels => {
    for (const { text, leads } of texts) {
      if (leads.length > 0) text.textContent = leads.map(lead => labels.get(leadText(lead)) ?? String(lead.key)).join(', ')
    }
  }, fail)
  return element('dl', {}, ...texts.flatMap(({ name, text }) => [element('dt', {}, name), text]))
}

/** Lists of rows that lead to this one. */
function related (model: AdminModel, row: Row, { models, api }: Context): Child {
  const links = model.facts.lists.flatMap(({ name, model: to, key, target, only }) => {
    const value = valueOf(row, target)
    if (value === undefined || value === null || !api.may(models.get(to)?.find)) return []
    const address = listAddress(to, { ...nowhere, where: [{ [key]: value, ...only }] })
    return [element('li', {}, element('a', { href: address }, name))]
  })
  return links.length === 0
    ? undefined
    : element('section', { 'aria-label': 'Related rows' }, element('h3', {}, 'Related rows'), element('ul', {}, ...links))
}
