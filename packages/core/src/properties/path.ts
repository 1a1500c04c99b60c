/** Paths of values within a row, as error details write them (request-parsing.md, section 8). */

const identifier = /^[A-Za-z_$][\w$]*$/

/** `.name`, or `['zip-code']` for a name that is no identifier. */
export function memberPath (name: string): string {
  return identifier.test(name) ? `.${name}` : `['${name.replace(/[\\']/g, '\\$&')}']`
}
