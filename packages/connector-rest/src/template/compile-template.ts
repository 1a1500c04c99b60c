/** Templates of operations, compiled once when the data source is made. */
import type { Attachment } from '../attachment.js'
import type { RestRequest } from '../request.js'
import { merge, type OperationSettings, type RequestSettings } from '../settings.js'
import { compileAddress, type Address } from './address.js'
import { compileValue, copying, type Render } from './render.js'
import type { Scope, Values } from './scope.js'
import { partsOf } from './variables.js'

type Written = OperationSettings['template']

export interface Template {
  readonly address: Address
  /** Whether bodies are JSON, both ways (SC-T11). */
  readonly isJson: boolean
  /** @throws RequestError 400 INVALID_PATH_VALUE */
  readonly render: (values: Values) => RestRequest
}

/** The name of a header is a variable (service-connectors.md, SC-S3). */
export class HeaderNameError extends Error {}

/**
 * Compiles a template, in the order in which its parts are written: a variable's last place decides (SC-T6).
 * @param base what the data source says of all requests
 * @throws HeaderNameError
 */
export function compileTemplate (template: Written, base: RequestSettings, scope: Scope): Template {
  const { headers: baseHeaders = {}, ...baseOptions } = base
  const { headers: optionHeaders = {}, ...options } = (template.options ?? {}) as RequestSettings
  const headers = mergeHeaders(optionHeaders, template.headers ?? {})
  if (Object.keys(headers).some(isTemplate)) throw new HeaderNameError()
  const parts: { address?: Address } & Partial<Record<Part, Render>> = {}
  for (const key of Object.keys(template)) {
    switch (key) {
      case 'url': parts.address = compileAddress(template.url, scope); break
      case 'query': parts.query = compileValue(template.query, scope, 'query'); break
      case 'body': parts.body = compileValue(template.body, scope, 'body'); break
      case 'attachments': parts.attachments = compileValue(template.attachments, scope, 'form'); break
      case 'form': parts.form = compileValue(template.form, scope, 'form'); break
      case 'headers': parts.headers = compileValue(headers, scope, 'header'); break
      case 'options': parts.options = compileValue(options, scope, 'query')
    }
  }
  const { query, body, form, attachments } = parts
  const givenHeaders = parts.headers ?? compileValue(headers, scope, 'header')
  const constantHeaders = withoutNames(baseHeaders, headers)
  const constants = Object.keys(baseOptions).length === 0 ? undefined : copying(baseOptions)
  const method = (template.method ?? 'GET').toUpperCase()
  const json = saysJson(template, base)
  const address = parts.address as Address
  const settings = (values: Values): object | undefined => {
    const common = constants?.() as Record<string, unknown> | undefined
    return parts.options === undefined ? common : merge(common ?? {}, parts.options(values) as Record<string, unknown>)
  }
  const render = (values: Values): RestRequest => {
    const request: RestRequest = {
      ...settings(values),
      method,
      uri: address.render(values),
      headers: { ...constantHeaders, ...givenHeaders(values) as object },
      json
    }
    if (query !== undefined) request.qs = query(values) as Record<string, unknown>
    if (body !== undefined) request.body = body(values)
    if (form !== undefined) request.form = form(values)
    if (attachments !== undefined) request.attachments = attachments(values) as Attachment[]
    if (template.timeout !== undefined) request.timeout = template.timeout
    return request
  }
  return { address, isJson: json, render }
}

type Part = 'query' | 'headers' | 'body' | 'form' | 'attachments' | 'options'

const isTemplate = (text: string): boolean => partsOf(text).some(part => typeof part !== 'string')

function saysJson ({ json, headers = {}, options }: Written, base: RequestSettings): boolean {
  const said = json ?? options?.json ?? base.json
  if (typeof said === 'boolean') return said
  const telling = Object.entries(headers).filter(([name]) => /^(?:accept|content-type)$/i.test(name)).at(-1)
  return telling === undefined || telling[1] === 'application/json'
}

type HeaderTexts = Readonly<Record<string, unknown>>

/** Headers over others, without regard to case (SC-D3). */
const mergeHeaders = (under: HeaderTexts, over: HeaderTexts): HeaderTexts => ({ ...withoutNames(under, over), ...over })

function withoutNames (headers: HeaderTexts, others: HeaderTexts): HeaderTexts {
  const names = new Set(Object.keys(others).map(name => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))
}
