/** Text of pages. */
import { sha256 } from '@fastback/core/connector'
import escapeHtml from 'escape-html'

/**
 * Text that is HTML already.
 *
 * ```js
 * const rule = new Html('<hr>')
 * ```
 */
export class Html {
  constructor (readonly text: string) {}
}

type Part = string | Html | readonly Html[] | undefined

/**
 * A piece of a page: what is put in is escaped, unless it is such a piece itself.
 *
 * ```js
 * const greeting = html`<p>Hello ${name}</p>`
 * ```
 */
export function html (strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, i) => i === 0 ? text : asText(parts[i - 1]) + text).join(''))
}

function asText (part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(part)
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('')
}

const styles = `:root{color-scheme:light dark;background:Canvas;color:CanvasText}
body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem}
label{display:block;margin-top:1rem;font-weight:600}
input:not([type=hidden]){box-sizing:border-box;width:100%;font:inherit;padding:.5rem;border:1px solid #767676;border-radius:.25rem}
button{font:inherit;padding:.5rem 1.25rem;margin:1.25rem .75rem 0 0;border:1px solid #1d4ed8;border-radius:.25rem;background:#1d4ed8;color:#fff;cursor:pointer}
button[name=cancel]{background:transparent;color:inherit;border-color:#767676}
:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}
.error{border-left:.25rem solid #b91c1c;padding:.25rem .75rem}`

/**
 * Of a style or script, as a source of a content policy.
 *
 * ```js
 * const policy = `script-src ${hashOf(script)}`
 * ```
 */
export const hashOf = (text: string): string => `'sha256-${sha256(text, 'base64')}'`

/** For `style-src`. */
export const styleHash = hashOf(styles)

/** What a page has of its own. */
export interface Frame {
  readonly title: string
  /** Default: the title. */
  readonly heading?: string
  readonly body: Html
  /** Default: `en`. */
  readonly language?: string
  /** A style sheet. Default: the house's, whose hash is `styleHash`. */
  readonly style?: string
  /** Above everything. */
  readonly top?: Html | undefined
  /** For pages that show lists. */
  readonly isWide?: boolean
  /** A script that stands in the page. */
  readonly script?: string | undefined
}

/**
 * The frame of all pages that are made here. Other sites get no referrer; this one does, or browsers would not say
 * where its forms come from.
 *
 * ```js
 * const text = page({ title: 'Log in', body: html`<p>You are not logged in.</p>` })
 * ```
 */
export function page (
  { title, heading = title, body, language = 'en', style = styles, top, isWide = false, script }: Frame
): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body${isWide ? html` class="wide"` : undefined}>
${top}<main>
<h1>${heading}</h1>
${body}
</main>
${script === undefined ? undefined : html`<script>${new Html(script)}</script>`}
</body>
</html>
`.text
}
