/** Words of the languages that requests are written in. */
import type { PlannedRequest } from './request.js'

/** What a text is as JSON; the text itself where it is none. */
export function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A value in the words of JavaScript. */
export function literal (value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map(each => literal(each, inner))]
    : ['{', '}', Object.entries(value).map(([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${literal(each, inner)}`)]
  const line = `${open} ${items.join(', ')} ${close}`
  if (items.length === 0) return `${open}${close}`
  return line.length < 80 && !line.includes('\n') ? line : `${open}\n${items.map(item => inner + item).join(',\n')}\n${indent}${close}`
}

/** A text in the words of JavaScript. */
export const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A member of an object in the words of JavaScript. */
export const member = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`

/** The request for a shell; the token is left to a variable, so that it is not copied about. */
export function curlLine ({ url, method, headers, body }: PlannedRequest, hasToken: boolean): string {
  const lines = [`curl${method === 'HEAD' ? ' --head' : ` -X ${method}`} ${shellWord(url)}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${shellWord(`${name}: ${value}`)}`)
  if (hasToken) lines.push('-H "X-Access-Token: $ACCESS_TOKEN"')
  if (typeof body === 'string') lines.push(`--data-raw ${shellWord(body)}`)
  for (const [name, value] of body instanceof FormData ? body : []) lines.push(formPart(name, value))
  return lines.join(' \\\n  ')
}

const formPart = (name: string, value: FormDataEntryValue): string =>
  typeof value === 'string'
    ? `--form-string ${shellWord(`${name}=${value}`)}`
    : `-F ${shellWord(`${name}=@"${value.name.replaceAll(/["\\]/g, '\\$&')}"${value.type === '' ? '' : `;type=${value.type}`}`)}`

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The request by the library `requests`; the token is left to the environment. */
export function pythonCall ({ url, method, headers, body }: PlannedRequest, hasToken: boolean): string {
  const sent = Object.entries(headers).map(([name, value]) => `${pythonWord(name)}: ${pythonWord(value)}`)
  if (hasToken) sent.push('"X-Access-Token": os.environ["ACCESS_TOKEN"]')
  const lines = [`headers={${sent.join(', ')}}`, ...pythonBody(body)]
  return [
    ...hasToken ? ['import os'] : [], 'import requests', '',
    `response = requests.request(${pythonWord(method)}, ${pythonWord(url)},`, `    ${lines.join(',\n    ')})`,
    'value = response.json()'
  ].join('\n')
}

function pythonBody (body: PlannedRequest['body']): string[] {
  if (body === undefined) return []
  if (typeof body === 'string') return [`json=${pythonWord(parsed(body))}`]
  const [texts, files] = [[...body].filter(([, value]) => typeof value === 'string'), [...body].filter(([, value]) => typeof value !== 'string')]
  return [
    ...texts.length === 0 ? [] : [`data=[${texts.map(([name, value]) => `(${pythonWord(name)}, ${pythonWord(value)})`).join(', ')}]`],
    ...files.length === 0
      ? []
      : [`files=[${files.map(([name, file]) => `(${pythonWord(name)}, open(${pythonWord((file as File).name)}, "rb"))`).join(', ')}]`]
  ]
}

/** A value in the words of Python: JSON but for the names of three values. */
function pythonWord (value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonWord).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonWord(each)}`).join(', ')}}`
}
