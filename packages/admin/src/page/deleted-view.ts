/** The rows of a model that were deleted and can be restored, the last one first. */
import { RefusedError } from './api.js'
import type { Context } from './context.js'
import { element } from './explorer/shared.js'
import { inPieces, piece } from './more.js'
import { valueOf, type AdminModel, type Row } from './models.js'
import { listAddress, nowhere } from './where.js'

export async function deletedView (model: AdminModel, context: Context, view: HTMLElement): Promise<void> {
  const { api, fail } = context
  const { find, facts: { deletedAt, id } } = model
  const list = element('ul', { class: 'lines', 'aria-label': `Deleted rows of ${model.name}` })
  const none = element('p', {}, 'There are no deleted rows.')
  const place = element('div', {},
    element('div', { class: 'top' },
      element('p', { class: 'way' }, element('a', { href: listAddress(model.name, nowhere) }, model.name)),
      element('h2', {}, 'Deleted rows')),
    list, none)
  view.replaceChildren(place)
  if (find === undefined || id === undefined) return
  const show = (): void => { none.hidden = list.children.length > 0 }
  none.hidden = true
  const order = deletedAt === undefined ? `${id} DESC` : [`${deletedAt} DESC`, `${id} DESC`]
  await inPieces<Row>(place, {
    read: async skip => (await api.call(find, {
      query: { filter: { deleted: 'only', order, limit: piece, ...skip === 0 ? {} : { skip } } }
    })).value as Row[],
    lines: rows => {
      list.append(...rows.map(row => lineOf(model, row, context, show)))
      show()
    },
    // Those that were restored meanwhile are among them no longer.
    skip: () => list.children.length,
    fail
  })
}

function lineOf (model: AdminModel, row: Row, { api, say, fail }: Context, gone: () => void): HTMLElement {
  const { restore, facts: { deletedAt, id = '' } } = model
  const key = valueOf(row, id)
  const at = deletedAt === undefined ? undefined : valueOf(row, deletedAt)
  const label = model.labelOf(row)
  const line = element('li', {}, element('span', {}, label),
    typeof at === 'string' ? element('span', { class: 'kind' }, new Date(at).toLocaleString()) : undefined)
  if (!api.may(restore, key)) return line
  const button = element('button', { type: 'button', class: 'small', 'aria-label': `Restore ${label}` }, 'Restore')
  button.addEventListener('click', () => {
    button.disabled = true
    api.call(restore, { id: key }).then(() => {
      line.remove()
      gone()
      say(`${label} was restored.`)
    }).catch((error: unknown) => {
      button.disabled = false
      fail(error)
      if (error instanceof RefusedError && error.isForbidden) button.remove()
    })
  })
  line.append(button)
  return line
}
