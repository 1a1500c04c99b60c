/** The roles of a user: given and taken by rows of RoleMapping, where they are published and the caller may. */
import { RefusedError } from './api.js'
import type { Context } from './context.js'
import { element } from './explorer/shared.js'
import { valueOf, type AdminModel, type Row } from './models.js'

/** Roles that are shown at once. */
const most = 200

/** Undefined for rows of models that are no user models. */
export function rolesOf (model: AdminModel, row: Row, context: Context): HTMLElement | undefined {
  const { facts: { principalType, id } } = model
  if (principalType === undefined || id === undefined) return undefined
  const place = element('div', {})
  const section = element('section', { 'aria-labelledby': 'roles' }, element('h3', { id: 'roles' }, 'Roles'), place)
  fill(place, { type: principalType, id: valueOf(row, id) }, context).catch((error: unknown) => {
    place.replaceChildren(element('p', {}, error instanceof RefusedError && error.isForbidden
      ? 'You may not read roles, so they cannot be given here.'
      : `The roles could not be read: ${(error as Error).message}`))
  })
  return section
}

interface Principal { readonly type: string, readonly id: unknown }

async function fill (place: HTMLElement, principal: Principal, context: Context): Promise<void> {
  const { api, models: { role, mapping } } = context
  if (role?.find === undefined || mapping?.find === undefined) {
    place.replaceChildren(element('p', {},
      'Roles cannot be given here: the API does not publish Role and RoleMapping. Publish them, with rules that let administrators in.'))
    return
  }
  const where = { principalType: principal.type, principalId: String(principal.id) }
  const [roles, mappings] = await Promise.all([
    api.call(role.find, { query: { filter: { order: 'name ASC', limit: most } } }),
    api.call(mapping.find, { query: { filter: { where } } })
  ])
  const given = new Map((mappings.value as Row[]).map(row => [String(valueOf(row, 'roleId')), row]))
  const lines = (roles.value as Row[]).map(row => roleLine(row, given, where, context))
  place.replaceChildren(lines.length === 0
    ? element('p', {}, 'There are no roles yet.')
    : element('ul', { class: 'roles' }, ...lines))
}

function roleLine (
  row: Row, given: Map<string, Row>, where: Readonly<Record<string, string>>, { api, models, say, fail }: Context
): HTMLElement {
  const [key, name] = [String(valueOf(row, models.role?.facts.id ?? 'id')), String(valueOf(row, 'name'))]
  const { create, remove, facts } = models.mapping as AdminModel
  const box = element('input', { type: 'checkbox', checked: given.has(key) })
  box.disabled = !(given.has(key) ? api.may(remove) : api.may(create))
  const turn = async (): Promise<void> => {
    const mapping = given.get(key)
    if (mapping === undefined && create !== undefined) {
      const { value } = await api.call(create, { body: { ...where, roleId: valueOf(row, models.role?.facts.id ?? 'id') } })
      given.set(key, value as Row)
      say(`The role ${name} was given.`)
    } else if (mapping !== undefined && remove !== undefined) {
      await api.call(remove, { id: valueOf(mapping, facts.id ?? 'id') })
      given.delete(key)
      say(`The role ${name} was taken.`)
    }
  }
  box.addEventListener('change', () => {
    box.disabled = true
    turn().catch(fail).finally(() => {
      box.checked = given.has(key)
      box.disabled = !(given.has(key) ? api.may(remove) : api.may(create))
      box.focus()
    })
  })
  const about = valueOf(row, 'description')
  return element('li', {}, element('label', { class: 'choice' }, box, ` ${name}`),
    typeof about === 'string' ? element('span', { class: 'kind' }, ` ${about}`) : undefined)
}
