/** Masks secrets in addresses and in running text. All patterns take linear time: what is logged comes from outside. */
import { decoded, isSecretName, isSecretParameter } from './secret-names.js'

export const masked = '[masked]'

const parameter = /(^|[?&;#])([^=&;#?]*)=([^&;#]*)/g
/** The row of a token is named by the token itself: `/Users/7/accessTokens/…`. */
const tokenRow = /(\/\w{0,128}access_?tokens\/)(?!count(?:[/?#]|$))[^\s/?#;"']+/gi
const userInfo = /(^|[a-z+]:)\/\/[^/?#@\s]*@/gi

/**
 * An address, whole or from its path on, with the values of secret parameters masked, in the query and behind `#` and
 * `;`.
 *
 * ```js
 * maskUrl('/api/Notes?access_token=abc&limit=1') // '/api/Notes?access_token=[masked]&limit=1'
 * ```
 */
export function maskUrl (url: string): string {
  const plain = url.replace(userInfo, `$1//${masked}@`).replace(tokenRow, `$1${masked}`)
  const at = plain.search(/[?#;]/)
  const [path, rest] = at === -1 ? [plain, ''] : [plain.slice(0, at), plain.slice(at)]
  return (path.includes('=') || path.includes('%') ? maskPath(path) : path) +
    rest.replace(parameter, (_all, joint: string, name: string, value: string) =>
      `${joint}${name}=${maskParameter(name, value)}`)
}

/** `?` and `=` may be encoded, so that nothing behind them is a parameter; it is a secret all the same. */
function maskPath (path: string): string {
  const text = decoded(path)
  const shown = maskText(text)
  return shown === text ? path : shown
}

function maskParameter (name: string, value: string): string {
  if (isSecretParameter(name)) return value === '' ? value : masked
  if (!/[=:%{]/.test(value)) return value
  // JSON, or another address.
  const text = decoded(value)
  const shown = maskText(text)
  return shown === text ? value : encodeURIComponent(shown).replaceAll(encodeURIComponent(masked), masked)
}

const assigned = /(?<![\w%.[\]-])([\w%.[\]-]+)=([^&\s"'<>#;,)}]+)/g
const declared = /(?<![\w-])(["']?)([\w-]+)\1\s{0,4}:\s{0,4}("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;{}[\]"']+)/g
const schemes = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi

/**
 * Running text (the message of an error, a line of a log) with what looks like a secret masked: `token=…`,
 * `"password":"…"`, `Authorization: Bearer …`.
 *
 * ```js
 * maskText('login failed: password=hunter2') // 'login failed: password=[masked]'
 * ```
 */
export function maskText (text: string): string {
  if (!/[=:]|bearer|basic/i.test(text)) return text
  return text
    .replace(schemes, `$1 ${masked}`)
    .replace(userInfo, `$1//${masked}@`)
    .replace(tokenRow, `$1${masked}`)
    .replace(assigned, (all, name: string) => isSecretParameter(name) ? `${name}=${masked}` : all)
    .replace(declared, (all, quote: string, name: string) =>
      isSecretName(name) ? `${quote}${name}${quote}: ${quote}${masked}${quote}` : all)
}
