/**
 * Patterns of keys: `*` is any run of characters, `?` one character, all else itself. Matched in linear time
 * (security.md, S-22).
 */
import { compileLike } from './like.js'

/**
 * Compiles a pattern to a test of whole keys: `*` is any run of characters, `?` one.
 *
 * ```js
 * ['user-1', 'note-1'].filter(compileGlob('user-*')) // ['user-1']
 * ```
 */
export function compileGlob (pattern: string): (text: string) => boolean {
  return compileLike(pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%').replaceAll('?', '_'), false)
}
