/**
 * Texts of others as parts of JavaScript and TypeScript (security.md, S-94): names of tables, titles and descriptions
 * of APIs, keys of samples. They become source here and nowhere else, and can be nothing but a literal, a name or a
 * comment.
 */

/**
 * Letters, and what stands among them: what ECMAScript takes as a name (ECMA-262, 12.7). Numbers such as ½ are none.
 */
const isName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u

/** What ends a line in ECMAScript (ECMA-262, 12.3), and all else that ends one or steers a terminal. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const steering = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

const reserved: ReadonlySet<string> = new Set(('arguments await break case catch class const continue debugger default ' +
  'delete do else enum eval export extends false finally for function if implements import in instanceof interface let ' +
  'new null package private protected public return static super switch this throw true try typeof var void while with ' +
  'yield').split(' '))

/** Whether a text can be a name that a declaration gives. */
export const isIdentifier = (name: string): boolean => isName.test(name) && !reserved.has(name)

/** The name of a model in TypeScript: what a name can have of its name. One that the language keeps gets a `_`. */
export function identifier (model: string): string {
  const name = model.replace(/[^\p{ID_Continue}$]+(.)?/gu, (_, letter: string | undefined) =>
    letter !== undefined && /[\p{ID_Continue}$]/u.test(letter) ? letter.toUpperCase() : '')
  return isIdentifier(name) ? name : isName.test(name) ? `${name}_` : `_${name}`
}

/** The name of the type of a model's rows. `Application` is what boot scripts are called with. */
export function rowName (model: string): string {
  const name = identifier(model)
  return name === 'Application' ? 'ApplicationRow' : name
}

/** A property's name, quoted where it must be. */
export const key = (name: string): string => isName.test(name) ? name : text(name)

/** A text in single quotes. */
export const text = (value: string): string =>
  `'${escaped(JSON.stringify(value).slice(1, -1)).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A value as JSON that is ECMAScript on every version, on one line. */
export const json = (value: unknown): string => escaped(JSON.stringify(value) ?? 'undefined')

const escaped = (written: string): string =>
  written.replace(steering, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `{ a: 1, b: 2 }` of members that are written already. */
export function object (members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** The same on lines of its own. */
export function block (members: readonly string[], indent: string): string {
  return members.length === 0 ? '{}' : `{\n${members.map(member => `${indent}  ${member}\n`).join('')}${indent}}`
}

/** One line of what others wrote, which ends no comment. */
const remark = (written: string): string =>
  written.replace(steering, ' ').replace(/\s+/g, ' ').replaceAll('*/', '* /').trim()

/** A comment above a declaration; several lines become one. */
export function comment (written: string | undefined, indent: string): string {
  const line = remark(written ?? '')
  return line === '' ? '' : `/** ${line} */\n${indent}`
}

/** Comments of one line each: a line of the text is a line. */
export const lineComments = (written: string): string[] =>
  // Whatever ends a line anywhere.
  written.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map(line => `// ${remark(line)}`.trimEnd())
