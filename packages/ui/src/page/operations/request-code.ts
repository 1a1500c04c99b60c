/** A request in the words of who sends it: a shell, a browser, the typed client, Python, code of the application. */
import { plainId, type Action } from '../api/description.js'
import { curlLine, literal, member, parsed, pythonCall, quoted } from './code-words.js'
import type { GivenParameter, PlannedRequest } from './request.js'

export interface RequestForm { readonly name: string, readonly text: string }

/** @param hasToken whether the request goes with an access token, which is left to whoever copies the code */
export function requestForms (
  action: Action, request: PlannedRequest, fields: readonly GivenParameter[], hasToken: boolean
): RequestForm[] {
  const filter = fields.find(({ parameter }) => parameter.content !== undefined)?.values[0]
  const { search } = new URL(request.url, window.location.href)
  return [
    ...filter === undefined ? [] : [{ name: 'JSON', text: pretty(filter) }],
    ...search === '' ? [] : [{ name: 'query string', text: search }],
    { name: 'curl', text: curlLine(request, hasToken) },
    { name: 'fetch', text: fetchCall(request, hasToken) },
    { name: 'typed client', text: clientCall(action, request, fields) },
    { name: 'Python', text: pythonCall(request, hasToken) },
    { name: 'LoopBack', text: modelCall(action, request, fields) }
  ]
}

function fetchCall ({ url, method, headers, body }: PlannedRequest, hasToken: boolean): string {
  const sent = { ...headers, ...hasToken ? { 'X-Access-Token': '…' } : {} }
  const lines = [`  method: '${method}',`, `  headers: ${literal(sent, '  ')}${body === undefined ? '' : ','}`]
  if (typeof body === 'string') lines.push(`  body: JSON.stringify(${literal(parsed(body), '  ')})`)
  else if (body !== undefined) lines.push('  body: form')
  return `const response = await fetch(${quoted(url)}, {\n${lines.join('\n')}\n})\nconst value = await response.json()`
}

/** As `fastback client` names its functions. */
function clientCall (action: Action, request: PlannedRequest, fields: readonly GivenParameter[]): string {
  const [model = ''] = action.tags
  const name = plainName(action)
    .replace(/^prototype\./, '')
    .replace(/^__([A-Za-z]+)__(.)/, (_, verb: string, first: string) => verb + first.toUpperCase())
    .replaceAll(/__(.)/g, (_, letter: string) => letter.toUpperCase())
  const parameters = given(fields)
  const body = bodyText(request)
  const list = [
    ...fields.length === 0 || (Object.keys(parameters).length === 0 && body === undefined) ? [] : [literal(parameters, '')],
    ...body === undefined ? [] : [body]
  ]
  return `import { createClient } from './api.js' // fastback client --out api.ts\n\nconst api = createClient({ baseUrl: '…' })\nconst value = await api${member(model)}${member(name)}(${list.join(', ')})`
}

/** As code of the application calls the method: arguments in their order, those of an instance on it. */
function modelCall (action: Action, request: PlannedRequest, fields: readonly GivenParameter[]): string {
  const [model = ''] = action.tags
  const plain = plainName(action)
  const { id, ...parameters } = given(fields)
  const isOwn = plain.startsWith('prototype.')
  const name = plain.replace(/^prototype\./, '')
  const related = /^__([A-Za-z]+)__(\w+)$/.exec(name)
  const list = [
    ...isOwn || id === undefined ? [] : [literal(id, '')],
    ...Object.values(parameters).map(value => literal(value, '')),
    ...bodyText(request) === undefined ? [] : [bodyText(request) as string]
  ].join(', ')
  if (!isOwn) return `const value = await ${model}.${name}(${list})`
  const call = related === null
    ? `.${name}(${list})`
    : related[1] === 'get' ? `.${related[2] as string}.find(${list})` : `.${related[2] as string}.${related[1] as string}(${list})`
  return `const row = await ${model}.findById(${literal(id, '')})\nconst value = await row${call}`
}

const plainName = (action: Action): string => plainId(action).slice((action.tags[0] ?? '').length + 1)

/** Values of the fields: numbers, flags and JSON as what they are. */
function given (fields: readonly GivenParameter[]): Record<string, unknown> {
  return Object.fromEntries(fields.flatMap(({ parameter, values }) => {
    const [first, ...more] = values
    if (first === undefined) return []
    const isText = parameter.schema?.type === 'string'
    const read = (text: string): unknown => isText ? text : parsed(text)
    return [[parameter.name, more.length === 0 ? read(first) : [first, ...more].map(read)]]
  }))
}

const bodyText = ({ body }: PlannedRequest): string | undefined =>
  body === undefined ? undefined : typeof body === 'string' ? literal(parsed(body), '') : 'form'

const pretty = (text: string): string => {
  const value = parsed(text)
  return typeof value === 'string' ? text : JSON.stringify(value, null, 2)
}
