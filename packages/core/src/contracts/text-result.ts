/** Results of methods that are JSON text already. */

const kText = Symbol('fastback.text')

/**
 * An object of whose members there is JSON text: whoever only sends it sends the text, and whoever looks at a member
 * finds what its text says.
 *
 * ```js
 * const answer = textResult({ rows: '[{"id":1}]', more: 'false' })
 * console.log(answer.rows.length) // 1
 * ```
 * @param members JSON text by name
 */
export function textResult<T extends object> (members: Readonly<Record<string, string>>): T {
  let whole: Record<string, unknown> | undefined
  // Whoever has looked may have changed it.
  const seen = (): object => (whole ??=
    Object.fromEntries(Object.entries(members).map(([name, text]) => [name, JSON.parse(text) as unknown])))
  // Put together without `join`, which copies each text once more: they may be long.
  const textOf = (): string => {
    let whole = '{'
    for (const name of Object.keys(members)) {
      whole += `${whole === '{' ? '' : ','}${JSON.stringify(name)}:${members[name] as string}`
    }
    return `${whole}}`
  }
  return new Proxy({}, {
    get (target, key) {
      if (key === kText) return whole === undefined ? textOf() : undefined
      // Promises ask for `then`, others for symbols: that is no look.
      return Reflect.get(whole ?? (Object.hasOwn(members, key) ? seen() : target), key) as unknown
    },
    set: (_, key, value) => Reflect.set(seen(), key, value),
    has: (_, key) => Reflect.has(seen(), key),
    deleteProperty: (_, key) => Reflect.deleteProperty(seen(), key),
    defineProperty: (_, key, descriptor) => Reflect.defineProperty(seen(), key, descriptor),
    ownKeys: () => Reflect.ownKeys(seen()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(seen(), key)
  }) as T
}

/**
 * The text of such a result, as long as nobody has looked at it; undefined for every other value.
 *
 * ```js
 * textOfResult(textResult({ id: '1' })) // '{"id":1}'
 * ```
 */
export const textOfResult = (value: unknown): string | undefined =>
  value !== null && typeof value === 'object' ? (value as { [kText]?: string })[kText] : undefined
