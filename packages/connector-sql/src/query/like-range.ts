/**
 * The range of texts that a pattern of the form `abc%` stands for: from `abc` up to, but without, `abd`. Undefined for
 * other patterns. Texts are in the order of their code points, as in UTF-8.
 */
export function likeRange (pattern: string): { readonly from: string, readonly below: string } | undefined {
  const prefix = pattern.slice(0, -1)
  if (!pattern.endsWith('%') || prefix === '' || /[%_\\]/.test(prefix)) return undefined
  const characters = Array.from(prefix)
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = codeAfter(last.codePointAt(0) as number)
    if (next !== undefined) return { from: prefix, below: characters.join('') + String.fromCodePoint(next) }
  }
}

/** The next code point that a text can have; surrogates cannot stand alone in UTF-8. */
function codeAfter (code: number): number | undefined {
  if (code >= 0xd7ff && code < 0xe000) return 0xe000
  return code === 0x10ffff ? undefined : code + 1
}
