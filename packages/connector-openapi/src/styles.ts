/** Parameters as text: `style` and `explode` of OpenAPI 3 (section "Style Values"; RFC 6570). */
import { invalidArgument } from './errors.js'
import { objectOf, textOf, type Json } from './json.js'

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie'

export interface Style {
  readonly name: string
  readonly place: ParameterLocation
  readonly style: string
  readonly explode: boolean
  /** Whether it is written as JSON: it has a `content`. */
  readonly isJson: boolean
  /** Whether characters that have a meaning in addresses stay, but for those that end a value. */
  readonly allowReserved: boolean
}

const usual: Readonly<Record<ParameterLocation, string>> = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' }

/** @param parameter a parameter, or the encoding of a field of a form */
export function styleOf (parameter: Json, name: string, place: ParameterLocation): Style {
  const style = textOf(parameter.style) ?? usual[place]
  return {
    name,
    place,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    isJson: Object.keys(objectOf(parameter.content)).length > 0,
    allowReserved: parameter.allowReserved === true
  }
}

type Encode = (text: string) => string

const encodeAll: Encode = text =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replaceAll(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
const encodeSome: Encode = text =>
  encodeAll(text).replaceAll(/%(?:3A|2F|3F|40|5B|5D|21|24|27|28|29|2A|2C|3B)/g, each => decodeURIComponent(each))
const asIs: Encode = text => text

const encoderOf = ({ place, allowReserved }: Style): Encode =>
  place === 'header' ? asIs : allowReserved && place === 'query' ? encodeSome : encodeAll

function scalar (value: unknown, { name }: Style): string {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  if (value === null) return ''
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') {
    throw invalidArgument(name, 'is nested deeper than its place can hold')
  }
  return String(value)
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** Members of an object that have a value. */
const members = (value: Json): Array<[string, unknown]> =>
  Object.entries(value).filter(([, each]) => each !== undefined)

/**
 * The value of a parameter in a path or a header.
 *
 * ```js
 * write([3, 4], styleOf({ style: 'matrix', explode: true }, 'id', 'path')) // ';id=3;id=4'
 * ```
 * @throws RequestError 400 INVALID_ARGUMENT for what has no form there
 */
export function write (value: unknown, style: Style): string {
  const encode = encoderOf(style)
  const { name, style: kind, explode } = style
  const text = (each: unknown): string => encode(scalar(each, style))
  if (style.isJson) return encode(JSON.stringify(value))
  const prefix = kind === 'label' ? '.' : kind === 'matrix' ? ';' : ''
  const isMatrix = kind === 'matrix'
  const between = explode ? prefix === '' ? ',' : prefix : ','
  if (Array.isArray(value)) {
    const all = value.map(text)
    if (isMatrix) return explode ? all.map(each => `;${name}=${each}`).join('') : `;${name}=${all.join(',')}`
    return prefix + all.join(between)
  }
  if (isObject(value)) {
    const all = members(value).map(([key, each]) => [encode(key), text(each)] as const)
    if (explode) return prefix + all.map(pair => pair.join('=')).join(between)
    return (isMatrix ? `;${name}=` : prefix) + all.flat().join(',')
  }
  return isMatrix ? `;${name}=${text(value)}` : prefix + text(value)
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

/**
 * The pairs of a parameter in a query, a cookie or a form, encoded.
 *
 * ```js
 * pairs({ a: 1 }, styleOf({ style: 'deepObject' }, 'filter', 'query')) // ['filter%5Ba%5D=1']
 * ```
 * @throws RequestError 400 INVALID_ARGUMENT for what has no form there
 */
export function pairs (value: unknown, style: Style): string[] {
  const encode = encoderOf(style)
  const name = encodeAll(style.name)
  const text = (each: unknown): string => encode(scalar(each, style))
  if (style.isJson) return [`${name}=${encode(JSON.stringify(value))}`]
  if (Array.isArray(value)) {
    if (style.explode) return value.map(each => `${name}=${text(each)}`)
    return value.length === 0 ? [] : [`${name}=${value.map(text).join(separators[style.style] ?? ',')}`]
  }
  if (!isObject(value)) return [`${name}=${text(value)}`]
  const all = members(value)
  if (style.style === 'deepObject') {
    return all.flatMap(([key, each]) => {
      const member = encodeAll(`${style.name}[${key}]`)
      return [each].flat().map(item => `${member}=${text(item)}`)
    })
  }
  if (style.explode) return all.map(([key, each]) => `${encodeAll(key)}=${text(each)}`)
  const flat = all.flatMap(([key, each]) => [encode(key), text(each)])
  return flat.length === 0 ? [] : [`${name}=${flat.join(separators[style.style] ?? ',')}`]
}
