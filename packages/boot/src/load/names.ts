/** Names as LoopBack forms them, from file names and for aliases. */

/** `customer-receipt` and `customer_receipt` become `CustomerReceipt`; a name that is in this form already stays. */
export function classify (name: string): string {
  const camel = camelize(name.replace(/[\W_]/g, ' '))
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}

/** `customer-receipt` becomes `customerReceipt`; the first letter stays as it is. */
export function camelize (name: string): string {
  return name
    .trim()
    .replace(/[-_\s]+(.)?/g, (_, letter: string | undefined) => (letter === undefined ? '' : letter.toUpperCase()))
}

/** Sets a value under a name, its class form and its camel-case form, as LoopBack has models and data sources. */
export function setWithAliases (table: object, name: string, value: unknown): void {
  for (const alias of new Set([camelize(name), classify(name), name])) {
    Object.defineProperty(table, alias, { value, enumerable: true, configurable: true, writable: true })
  }
}
