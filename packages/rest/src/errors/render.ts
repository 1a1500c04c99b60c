/** An error body as JSON, a problem (RFC 9457), HTML or XML. */
import { STATUS_CODES } from 'node:http'
import escapeHtml from 'escape-html'
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { ErrorBody } from './error-body.js'
import { xmlText } from './xml.js'

export type ErrorType = 'json' | 'html' | 'xml' | 'problem'

export interface Rendered { readonly type: string, readonly text: string }

/** @param root name of the property that holds the body; false: the body itself is the response */
export function renderError (type: ErrorType, body: ErrorBody, root: string | false): MaybePromise<Rendered> {
  const shown = writable(body)
  switch (type) {
    case 'html':
      return { type: 'text/html; charset=utf-8', text: htmlPage(shown) }
    case 'xml':
      return chain(
        xmlText(root === false ? 'error' : root, shown),
        text => ({ type: 'application/xml; charset=utf-8', text })
      )
    case 'problem':
      return { type: 'application/problem+json; charset=utf-8', text: JSON.stringify(problemOf(shown)) }
    default:
      return {
        type: 'application/json; charset=utf-8',
        text: JSON.stringify(root === false ? shown : { [root]: shown })
      }
  }
}

/** RFC 9457: its members for what it has members for, everything else beside them under the name it has otherwise. */
function problemOf ({ statusCode, message, ...others }: ErrorBody): Record<string, unknown> {
  return {
    type: 'about:blank', title: STATUS_CODES[statusCode] ?? 'Error', status: statusCode, detail: message, ...others
  }
}

/** Details of an application's error may hold anything, cycles and bigints too: they are left out then. */
function writable (body: ErrorBody): ErrorBody {
  try {
    JSON.stringify(body)
    return body
  } catch {
    const { statusCode, name, message, code } = body
    return {
      statusCode,
      ...Object.fromEntries(Object.entries({ name, message, code }).filter(([, value]) => typeof value === 'string'))
    }
  }
}

function htmlPage (body: ErrorBody): string {
  const title = escapeHtml(`${body.statusCode} ${String(body.name ?? STATUS_CODES[body.statusCode] ?? 'Error')}`)
  const details = body.details === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(body.details))}</pre>`
  const stack = body.stack === undefined ? '' : `<pre>${escapeHtml(String(body.stack))}</pre>`
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>${escapeHtml(String(body.message ?? ''))}</p>${details}${stack}</body>
</html>
`
}
