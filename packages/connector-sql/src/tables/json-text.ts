/** Values as the JSON text that columns hold, and back. */
import { randomUUID } from 'node:crypto'
import type { CompiledProperty, PropertyType, Row } from '@fastback/core'
import { base64Of, isBase64Type, writeValue } from '@fastback/core/connector'
import { parseExactly } from './exact-json.js'

/**
 * JSON text of a value. Bigints are written as numbers, with all their digits; what JSON does not know is left out as
 * `JSON.stringify` does.
 */
export function encodeJson (value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const mark = randomUUID()
    const text = JSON.stringify(value, (_key, item: unknown) => typeof item === 'bigint' ? `${mark}${item}` : item)
    return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
  }
}

const writeClient = (value: unknown): string => writeValue(value) ?? 'null'

/** JSON text of a property's value, which is not null, as clients have it. */
export const clientJson = (type: PropertyType): ((value: unknown) => string) => isBase64Type(type)
  ? value => writeClient(base64Of(value) ?? value)
  : writeClient

/** The same of rows that nobody else holds, with the properties among these. */
export function clientRowJson (properties: readonly CompiledProperty[]): (row: Row) => string {
  const names = properties.filter(({ type }) => isBase64Type(type)).map(({ name }) => name)
  if (names.length === 0) return writeClient
  return row => {
    for (const name of names) row[name] = base64Of(row[name]) ?? row[name]
    return writeClient(row)
  }
}

/** `encodeJson` for databases that take no half of a surrogate pair: as drivers do it with texts, it becomes U+FFFD. */
export function encodeWellFormedJson (value: unknown): string {
  const text = encodeJson(value)
  return text.includes('\\u')
    ? text.replaceAll(/\\(?:u([0-9a-f]{4})|.)/gi, (escape, code?: string) =>
      code !== undefined && /^d[89a-f]/i.test(code) ? '\ufffd' : escape
    )
    : text
}

/** The value of a stored text. What is no JSON (written by others) is taken as the text that it is. */
export function decodeJson (text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return text
  }
}

/**
 * Gives the values inside a decoded property their own type again: dates and large numbers, in lists and in objects
 * with declared members.
 * Undefined where there is nothing to do.
 */
export function reviver (type: PropertyType): ((value: unknown) => unknown) | undefined {
  switch (type.kind) {
    case 'date': return value => typeof value === 'string' ? asDate(value) : value
    case 'long': case 'bigint': return asWhole
    case 'array': return type.items === undefined ? undefined : listReviver(reviver(type.items))
    case 'object': return memberReviver(type.members)
  }
}

function asDate (text: string): unknown {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date
}

/** A double that is no safe integer stands for a bigint of the same digits. */
const asWhole = (value: unknown): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value as number) : value

function listReviver (item: ((value: unknown) => unknown) | undefined): ((value: unknown) => unknown) | undefined {
  if (item !== undefined) return value => Array.isArray(value) ? value.map(item) : value
}

function memberReviver (
  members: Readonly<Record<string, PropertyType>> | undefined
): ((value: unknown) => unknown) | undefined {
  const revivers = Object.entries(members ?? {}).flatMap(([name, type]) => {
    const revive = reviver(type)
    return revive === undefined ? [] : [{ name, revive }]
  })
  if (revivers.length === 0) return undefined
  return value => {
    if (value === null || typeof value !== 'object') return value
    const object = value as Record<string, unknown>
    for (const { name, revive } of revivers) if (Object.hasOwn(object, name)) object[name] = revive(object[name])
    return object
  }
}
