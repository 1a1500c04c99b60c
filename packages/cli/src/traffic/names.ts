/** What names of keys, parameters and headers tell: which hold secrets, and which hold ids. */

const secretEnd = new RegExp(
  '(?:passwords?|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|credentials?|' +
  'password[-_]?(?:confirm(?:ation)?|again|repeat(?:ed)?))$',
  'i'
)
const secretName =
  /^(?:authorization|otp|pin|cvv|cvc|code_verifier|(?:client_)?assertion|jwt|session(?:[-_]?id)?)$/i

/** Whether a name stands for a secret: `password`, `newPassword`, `access_token`, `clientSecret`, `x-api-key` … */
export const namesSecret = (name: string, further: ReadonlySet<string> = new Set()): boolean =>
  secretEnd.test(name) || secretName.test(name) || further.has(name.toLowerCase())

/** `id`, `_id`, `customerId`, `customer_id`, `customerIds` */
export const namesId = (name: string): boolean => /^_?ids?$|[a-z\d]Ids?$|_ids?$/.test(name)

/** Conditions of a filter: what they hold belongs to the property above. */
export const isOperator = (name: string): boolean =>
  /^(?:eq|neq|inq|nin|gt|gte|lt|lte|between|\$(?:eq|ne|in|nin|gte?|lte?))$/.test(name)

/** What a collection and the keys that lead to it have in common: `CoffeeShops`, `coffee-shop`, `coffeeShopId`. */
export const stemOf = (name: string): string =>
  name.replace(/(?:_id|Id)s?$/, '').toLowerCase().replace(/[^a-z\d]/g, '').replace(/ies$/, 'y').replace(/s$/, '')

/** The name that a parameter of a query ends in: `filter[where][password]` is about `password`. */
export const lastName = (parameter: string): string =>
  [...parameter.matchAll(/[^[\]]+/g)].map(([name]) => name).filter(name => !isOperator(name) && !/^\d+$/.test(name)).at(-1) ?? parameter

/** The pairs of a query or a form, each as it stands and taken apart. */
export function pairsOf (text: string): Array<{ readonly raw: string, readonly name: string, readonly value: string }> {
  return text.split('&').filter(raw => raw !== '').map(raw => {
    const at = raw.indexOf('=')
    return { raw, name: at === -1 ? raw : raw.slice(0, at), value: at === -1 ? '' : raw.slice(at + 1) }
  })
}

/** Percent signs resolved; as it stands where they are no UTF-8. */
export function unescaped (text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The object or list that a text is as JSON; undefined of every other text. */
export function jsonIn (text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
