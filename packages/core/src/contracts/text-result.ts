/** Results of methods that are JSON text already. */

const kText = Symbol('fastback.text')

/**
 * JSON text; a long one is better kept in pieces than put together as one string, which is copied each time. Each piece
 * is whole characters: pairs of surrogates stay together.
 */
export type JsonText = string | readonly string[]

const wholeText = (text: JsonText): string => typeof text === 'string' ? text : text.join('')

/**
 * An object of whose members there is JSON text: whoever only sends it sends the text, and anyone who looks at a member
 * finds what its text says.
 *
 * ```js
 * const answer = textResult({ rows: ['[{"id":1},', '{"id":2}]'], more: 'false' })
 * console.log(answer.rows.length) // 2
 * ```
 * @param members JSON text by name
 */
export function textResult<T extends object> (members: Readonly<Record<string, JsonText>>): T {
  let whole: Record<string, unknown> | undefined
  // Anyone who has looked may have changed it.
  const seen = (): object => (whole ??=
    Object.fromEntries(Object.entries(members).map(([name, text]) => [name, JSON.parse(wholeText(text)) as unknown])))
  const piecesOf = (): string[] => {
    const pieces: string[] = []
    let before = '{'
    for (const [name, text] of Object.entries(members)) {
      const [first = '', ...others] = typeof text === 'string' ? [text] : text
      pieces.push(`${before}${JSON.stringify(name)}:${first}`, ...others)
      before = ','
    }
    pieces.push(before === '{' ? '{}' : '}')
    return pieces
  }
  return new Proxy({}, {
    get (target, key) {
      if (key === kText) return whole === undefined ? piecesOf() : undefined
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
 * The text of such a result, in pieces, as long as nobody has looked at it; undefined for every other value.
 *
 * ```js
 * textOfResult(textResult({ id: '1' })).join('') // '{"id":1}'
 * ```
 */
export const textOfResult = (value: unknown): readonly string[] | undefined =>
  value !== null && typeof value === 'object' ? (value as { [kText]?: readonly string[] })[kText] : undefined
