import { invalidName } from './errors.js'

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const refused = /[/\\\u0000-\u001f\u007f]/
/** Names of devices and endings that Windows reads as something else (storage.md, SS-02). */
const windows = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)|[. ]$|:/i

/** What beside the rule for all names is open to a data source. */
export interface NameRules {
  /** Whether names that begin with a dot are taken; `.uploads` never is. */
  readonly allowDotNames: boolean
  /** Whether names that mean devices to Windows are refused. Default: where the process runs on Windows. */
  readonly onWindows?: boolean
}

/** Where uploads stand until they are whole; below the root, and nobody's container. */
export const stagingName = '.uploads'

/**
 * Whether a text can be the name of a container or file (storage.md, SS-01, SS-02): 1 to 255 bytes of well-formed
 * UTF-8, no separators, no control characters, no leading dot.
 *
 * ```js
 * isName('report.pdf', { allowDotNames: false }) // true
 * isName('../x', { allowDotNames: false }) // false
 * ```
 */
export function isName (name: unknown, { allowDotNames, onWindows = process.platform === 'win32' }: NameRules): name is string {
  if (typeof name !== 'string' || name === '' || Buffer.byteLength(name) > 255) return false
  // A lone surrogate has no UTF-8 of its own: two texts would be one name.
  if (refused.test(name) || /\p{Surrogate}/u.test(name)) return false
  if (name.startsWith('.')) {
    if (!allowDotNames || name === '.' || name === '..' || name.toLowerCase() === stagingName) return false
  }
  return !(onWindows && windows.test(name))
}

/** @throws RequestError 400 INVALID_NAME */
export function checkName (kind: 'container' | 'file', name: unknown, rules: NameRules): asserts name is string {
  if (!isName(name, rules)) throw invalidName(kind)
}
