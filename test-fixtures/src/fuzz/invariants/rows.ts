/**
 * Rows change only where the request may touch them. Methods of the application's own do as they like, and are not
 * judged.
 */
import type { Facts, RowChange } from '../inside/protocol.js'
import type { Operation } from '../routes.js'
import { effects, relationMethod } from './built-in.js'
import type { Invariant, Observation } from './fault.js'

const isTokenModel = (facts: Facts, name: string): boolean =>
  facts.models.find(each => each.name === name)?.bases.includes('AccessToken') === true

export const rowsAllowed: Invariant = (observed, { facts }) => {
  const { changes, operation, answer } = observed
  if (changes === undefined || changes.length === 0) return undefined
  const relation = relationMethod(operation)
  const kind = effects[operation.method]
  if (kind === undefined && relation === undefined) return undefined
  // Tokens come and go with logins, passwords, users and time.
  const others = changes.filter(
    ({ model }) => !isTokenModel(facts, model) || model === operation.model || relation !== undefined
  )
  if (others.length === 0) return undefined
  const total = (of: readonly RowChange[]): number =>
    of.reduce((sum, { created, changed, removed }) => sum + created.length + changed.length + removed.length, 0)
  const told = (what: string): string => `rows: ${what}: ${answer.status} ${JSON.stringify(others).slice(0, 800)}`
  if (answer.status >= 400) return told('a refused request changed some')
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(observed.request.verb) && operation.method !== 'confirm') {
    return told('a request that reads changed some')
  }
  // With another verb it was another operation.
  if (observed.request.verb !== operation.verb) return undefined
  if (relation !== undefined) return ofRelation(observed, others, facts)
  const own = others.filter(({ model }) => model === operation.model)
  const count = total(own)
  if (kind === 'none' && count > 0) return told('a method that reads changed some')
  if (kind === 'one' && count > 1) return told('more than one row')
  if (kind === 'new' && own.some(({ removed, changed }) => removed.length + changed.length > 0)) {
    return told('create changed what was there')
  }
  if (kind === 'counted') {
    const counted = (JSON.parse(answer.body.toString()) as { count?: number }).count ?? 0
    if (own.some(({ created, removed }) => created.length + removed.length > 0) || count > counted) {
      return told('a bulk update did more than it told')
    }
  }
  const foreign = others.filter(({ model }) => model !== operation.model && !isCascade(facts, operation, model))
  return foreign.length === 0 ? undefined : told('rows of another model')
}

/** Tokens of a user, role mappings: what goes with the row. */
const isCascade = (facts: Facts, operation: Operation, model: string): boolean =>
  isTokenModel(facts, model) ||
  facts.models.find(each => each.name === operation.model)?.bases.includes('Role') === true

/** A relation route touches rows of its parent only: those that hold its id, before or in their key. */
function ofRelation (
  { operation, request, answer }: Observation,
  changes: readonly RowChange[],
  facts: Facts
): string | undefined {
  const told = (what: string): string => `rows: ${what}: ${answer.status} ${JSON.stringify(changes).slice(0, 800)}`
  const names = new Set(changes.map(({ model }) => model))
  const owner = facts.models.find(each => each.name === operation.model)
  const [, name = ''] = relationMethod(operation) ?? []
  const relation = owner?.relations.find(each => each.name === name)
  // Scopes and nested routes: only the refusals above are judged.
  if (relation === undefined) return undefined
  const embedded = relation.type.startsWith('embeds') || relation.type === 'referencesMany'
  const known = new Set([relation.model, relation.through, ...(embedded ? [operation.model] : [])])
  const implicit = relation.type === 'hasAndBelongsToMany'
  if (!implicit && [...names].some(model => !known.has(model))) {
    return told('rows of a model that the relation does not know')
  }
  const parent = parentId(operation, request.target)
  // Which rows a list of references names, the parent says and not they.
  if (parent === undefined || relation.type === 'referencesMany') return undefined
  for (const { removed, changed, before, model } of changes) {
    if (model === operation.model && !embedded && relation.model !== operation.model) return told('the parent itself')
    for (const id of [...removed, ...changed]) {
      if (relation.through !== undefined && model === relation.model) continue
      if (implicit && model === relation.model) continue
      const values = Object.values(JSON.parse(before[id] as string) as object).map(String)
      if (!values.includes(parent) && id !== parent) return told(`a row of another parent than ${parent}`)
    }
  }
  return undefined
}

function parentId (operation: Operation, target: string): string | undefined {
  const pattern = new RegExp('^' + operation.path.replaceAll(/\{\w+\}/g, '([^/?]+)') + '/?(\\?|$)', 'i')
  const raw = pattern.exec(target)?.[1]
  if (raw === undefined) return undefined
  try {
    const text = decodeURIComponent(raw)
    // Number ids are read as numbers are: `007`, ` 7`.
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : String(Number(text))
  } catch {
    return undefined
  }
}
