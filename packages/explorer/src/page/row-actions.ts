/** What the operations of a model do with one of its rows: their fields are filled in, and left to be sent. */
import type { Action, ApiDescription } from './description.js'
import type { Row, RowAction } from './rows-view.js'

const names = [['Open', 'findById'], ['Edit', 'prototype.patchAttributes'], ['Delete', 'deleteById']] as const

/** For answers with rows of the operation's own model. */
export function rowActions (action: Action, description: ApiDescription): RowAction[] {
  const [model = ''] = action.tags
  const answer = description.typeName(successSchema(action, description))
  if (answer !== `${model}[]`) return []
  return names.flatMap(([name, method]) => {
    const target = description.actions.find(({ operationId }) => operationId === `${model}.${method}`)
    const key = target?.parameters?.find(({ in: place }) => place === 'path')?.name
    if (target === undefined || key === undefined) return []
    return [{ name, run: (row: Row) => { fillIn(target.operationId, key, row) } }]
  })
}

const successSchema = (action: Action, description: ApiDescription) =>
  Object.entries(action.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => description.response(response).content?.['application/json']?.schema)[0]

function fillIn (operation: string, key: string, row: Row): void {
  window.location.hash = `#${encodeURIComponent(operation)}`
  // The address opens the operation in an event of its own.
  window.setTimeout(() => {
    const place = document.getElementById(operation)
    const field = place?.querySelector<HTMLInputElement>(`[name="${CSS.escape(key)}"]`)
    const body = place?.querySelector<HTMLTextAreaElement>('[name="body"]')
    const { [key]: id, ...rest } = row
    if (field != null) field.value = String(id)
    if (body != null) body.value = JSON.stringify(rest, null, 2)
    for (const changed of [field, body]) changed?.dispatchEvent(new Event('input', { bubbles: true }))
    const next = body ?? place?.querySelector<HTMLElement>('button[type=submit]')
    next?.focus()
  })
}
