/** The caller of a request as policies of a database read it: texts by the names of settings. */
import type { CallerSettings, MaybePromise } from '@fastback/core'
import { callerSettings, chain } from '@fastback/core/connector'
import type { Caller } from '../caller.js'
import { factsOf, valuesOf } from '../rows/caller-values.js'
import { scalarOf, scalarsOf, type ValueOf, type Variable } from '../rows/variables.js'
import type { AclService } from '../service.js'

/** The settings of a caller: all that any rule of the application may compare with. */
export function settingsOf (service: AclService, caller: Caller): MaybePromise<CallerSettings> {
  const { rows, roles } = service
  const named = rows.callerVariables()
  const needs = { user: named.some(({ of }) => of === 'user'), roles: true }
  return chain(factsOf(needs, caller, rows.users, roles), facts => {
    const { userId, userModel, appId } = caller
    const valueOf = valuesOf(caller, facts, 0)
    const isUser = userId !== undefined && userModel !== undefined
    return {
      [callerSettings.userId]: isUser ? String(userId) : '',
      [callerSettings.userModel]: isUser ? userModel.modelName : userId === undefined ? '' : '-',
      [callerSettings.clientId]: appId === undefined ? '' : String(appId),
      [callerSettings.roles]: JSON.stringify([...facts.roles]),
      [callerSettings.user]: membersOf('user', named, valueOf),
      [callerSettings.token]: membersOf('token', named, valueOf)
    }
  })
}

function membersOf (of: 'user' | 'token', named: readonly Variable[], valueOf: ValueOf): string {
  const members = named.flatMap(variable => variable.of === of ? [[variable.property, plain(valueOf(variable))]] : [])
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members))
}

/** What rules compare with: single values, and lists of them. */
function plain (value: unknown): unknown {
  const found = Array.isArray(value) ? scalarsOf(value)?.map(inJson) : inJson(scalarOf(value))
  return found ?? null
}

const inJson = (value: unknown): unknown => typeof value === 'bigint' ? String(value) : value
