/** Small pieces of TypeScript. */

/** The name of a model in TypeScript: letters, digits and `_` of its name. */
export function identifier (model: string): string {
  const name = model.replace(/[^\p{L}\p{N}_$]+(.)?/gu, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')
  return /^\p{N}/u.test(name) ? `_${name}` : name
}

/** The name of the type of a model's rows. `Application` is what boot scripts are called with. */
export function rowName (model: string): string {
  const name = identifier(model)
  return name === 'Application' ? 'ApplicationRow' : name
}

/** A property's name, quoted where it must be. */
export function key (name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : text(name)
}

/** A text in single quotes. */
export function text (value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** `{ a: 1, b: 2 }` of members that are written already. */
export function object (members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** The same on lines of its own. */
export function block (members: readonly string[], indent: string): string {
  return members.length === 0 ? '{}' : `{\n${members.map(member => `${indent}  ${member}\n`).join('')}${indent}}`
}

/** A comment above a declaration; several lines become one. */
export function comment (written: string | undefined, indent: string): string {
  const line = (written ?? '').replace(/\s+/g, ' ').replaceAll('*/', '* /').trim()
  return line === '' ? '' : `/** ${line} */\n${indent}`
}
