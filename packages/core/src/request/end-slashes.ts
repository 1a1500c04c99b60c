/**
 * A path or an address without the slashes at its end. It takes one look at each of them, where a pattern that looks
 * for them tries anew at every slash (security.md, S-92).
 *
 * ```js
 * withoutEndSlashes('https://api.example.org//') // 'https://api.example.org'
 * withoutEndSlashes('/') // ''
 * ```
 */
export function withoutEndSlashes (path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
