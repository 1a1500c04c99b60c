/**
 * What the settings of a session say of the caller, as SQL: texts, and lists of texts, which are NULL where there is no
 * such value. Each is a query of its own, which the database runs once for a statement and not for each row.
 */
import type { CallerValue } from '@fastback/core'
import { callerSettings } from '@fastback/core/connector'
import { quoteText } from '../dialects/postgres/quote.js'

const { userId, userModel, clientId, roles } = callerSettings

/** A setting that was never made is NULL, and one of an earlier transaction is empty. */
const setting = (name: string): string => `NULLIF(current_setting(${quoteText(name)}, true), '')`

const once = (expression: string): string => `(SELECT ${expression})`

const rolesJson = `COALESCE(${setting(roles)}, '[]')::jsonb`

/** Whoever has an id, of a user or an application. */
export const isLoggedIn =
  once(`${setting(userId)} IS NOT NULL OR ${setting(clientId)} IS NOT NULL OR COALESCE(${setting(userModel)}, '') = '-'`)

export const hasSetting = (name: string, is: string): string =>
  once(`COALESCE(${setting(name)}, '') = ${quoteText(is)}`)

export const hasRole = (name: string): string => once(`${rolesJson} ? ${quoteText(name)}`)

const memberJson = (name: string, member: string): string => `${setting(name)}::jsonb -> ${quoteText(member)}`

const isScalar = (json: string): string => `jsonb_typeof(${json}) IN ('string', 'number', 'boolean')`

/** The value as a text: NULL where there is none, and where it is no single value. */
function textOf (value: CallerValue): string {
  switch (value.of) {
    case 'setting': return setting(value.name)
    case 'member': {
      const json = memberJson(value.name, value.member)
      return `CASE WHEN ${isScalar(json)} THEN (${json}) #>> '{}' END`
    }
    case 'now': return instant(value.milliseconds)
    case 'roles': return 'NULL::text'
  }
}

/** As JavaScript writes it, whose dates have milliseconds. */
const instant = (milliseconds: number): string =>
  `to_char((transaction_timestamp() + interval '${String(milliseconds)} milliseconds') AT TIME ZONE 'UTC', ` +
  '\'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\')'

/** The same where the text is one that a column of its kind takes: no value of a caller is an error. */
export const textLike = (value: CallerValue, pattern: string | undefined): string => pattern === undefined
  ? once(textOf(value))
  : `(SELECT CASE WHEN said.value ~ ${quoteText(pattern)} THEN said.value END FROM (SELECT ${textOf(value)} AS value) AS said)`

/** All single values of a list; one that stands alone is a list of one. NULL where there is neither. */
export function listLike (value: CallerValue, pattern: string | undefined): string {
  const fits = pattern === undefined ? '' : ` WHERE said.value ~ ${quoteText(pattern)}`
  return `(SELECT CASE WHEN ${isMissingList(value)} THEN NULL ELSE ARRAY(SELECT said.value FROM (${itemsOf(value)}) AS said (value)${fits}) END)`
}

function itemsOf (value: CallerValue): string {
  if (value.of === 'roles') {
    return `SELECT jsonb_array_elements_text(${rolesJson}) UNION ALL SELECT '$everyone' ` +
      `UNION ALL SELECT CASE WHEN ${isLoggedIn} THEN '$authenticated' ELSE '$unauthenticated' END`
  }
  if (value.of !== 'member') return `SELECT ${textOf(value)}`
  const json = memberJson(value.name, value.member)
  const list = `CASE WHEN jsonb_typeof(${json}) = 'array' THEN ${json} ELSE jsonb_build_array(${json}) END`
  return `SELECT item #>> '{}' FROM jsonb_array_elements(${list}) AS items (item) WHERE ${isScalar('item')}`
}

function isMissingList (value: CallerValue): string {
  if (value.of === 'roles') return 'false'
  if (value.of !== 'member') return `${textOf(value)} IS NULL`
  const json = memberJson(value.name, value.member)
  return `COALESCE(jsonb_typeof(${json}), 'null') IN ('null', 'object')`
}

/** Whether the caller has no such value. */
export const isMissing = (value: CallerValue, isList: boolean): string =>
  once(isList ? isMissingList(value) : `(${textOf(value)}) IS NULL`)
