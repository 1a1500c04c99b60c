/**
 * What a subscriber sees of a row now: what a `findById` in the name of its user would show if the row were as the
 * event has it.
 */
import type { Acting, ModelClass, ModelRegistry, Row, RowRule } from '@fastback/core'
import { coerceId, compileCondition, hasPart, parseWhere } from '@fastback/core/connector'
import {
  accessReviewIn, knownUsersIn, mayAskAbout, ReaderView, remoteOptions, type RowReader
} from '@fastback/core/remote'
import type { Subscription } from './models.js'

/** Shows the row, or undefined where the subscriber may not see it, or has not asked for such rows. */
export type Sight = (row: Row) => Promise<Row | undefined>

/** For one event of one subscription: rules and roles are asked once. */
export async function sightOf (
  registry: ModelRegistry, Model: ModelClass, { userKey, where }: Pick<Subscription, 'userKey' | 'where'>
): Promise<Sight> {
  const { readerFor } = accessReviewIn(registry)
  const reader = await readerFor?.(actingFor(registry, userKey), Model)
  return async row => {
    const rule = reader === undefined ? undefined : await reader.ruleFor(row)
    if (rule === null || !matches(Model, where, rule, row)) return undefined
    return await shownBy(Model, reader, rule, row)
  }
}

async function shownBy (
  Model: ModelClass, reader: RowReader | undefined, rule: RowRule | undefined, row: Row
): Promise<Row | undefined> {
  const { compiled } = Model
  const view = ReaderView.of(Model, remoteOptions({
    accessToken: reader?.token ?? undefined,
    rowRules: rule === undefined ? undefined : { concerns: model => model === compiled, of: () => rule }
  }))
  if (view === undefined) return row
  await view.ask(0)
  return view.sees(row) ? view.shown(row) : undefined
}

/** A condition that names what the user may not read finds nothing: it would tell what is there. */
function matches (Model: ModelClass, where: Subscription['where'], rule: RowRule | undefined, row: Row): boolean {
  if (where === undefined || where === null) return true
  const { compiled } = Model
  const condition = parseWhere(compiled, where, compiled.parsing.external)
  if (hasPart(condition, ({ kind }) => kind === 'related')) return false
  const { reads } = rule ?? {}
  return (reads === undefined || mayAskAbout(compiled, reads, condition)) && compileCondition(condition)(row)
}

/** Whose subscription it is, with the id as the user's model has it. */
function actingFor (registry: ModelRegistry, userKey: string | null | undefined): Acting {
  if (userKey === undefined || userKey === null) return { user: null }
  const [model, text] = JSON.parse(userKey) as [string, string]
  const [only] = knownUsersIn(registry).models()
  const User = registry.findModel(model === '' ? only ?? '' : model)
  const user = User === undefined ? text : coerceId(User.compiled, text) ?? text
  return model === '' ? { user } : { user, userModel: model }
}
