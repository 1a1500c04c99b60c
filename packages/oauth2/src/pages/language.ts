/** In which language a page is. */
import type { FastifyRequest } from 'fastify'
import { Parameters } from '../http/parameters.js'
import type { Session } from '../session/sessions.js'
import { de } from './texts/de.js'
import { en, type Texts } from './texts/en.js'
import { es } from './texts/es.js'

/** Texts by tag of a language. */
export type Languages = ReadonlyMap<string, Texts>

export const builtInLanguages: Languages = new Map([['en', en], ['es', es], ['de', de]])

/** Characters of a list of languages that are read: whoever sends more wants something else. */
const longest = 500

/**
 * The language for a request: what the client asks for (`ui_locales`, OI-54), else what the browser prefers, else the
 * one of the settings.
 *
 * ```js
 * languageFor(request, session, languages, 'en') // 'de'
 * ```
 * @param session its waiting request says what the client asked for
 */
export function languageFor (
  request: FastifyRequest, session: Session | undefined, languages: Languages, otherwise: string
): string {
  if (languages.size === 1) return otherwise
  const { body, headers } = request
  const asked = Parameters.ofQuery(request.url).get('ui_locales') ??
    (body instanceof Parameters ? body.get('ui_locales') : undefined) ?? session?.data.pending?.ui_locales
  return firstOf((asked ?? '').slice(0, longest).split(' '), languages) ??
    firstOf(preferred(headers['accept-language'] ?? ''), languages) ?? otherwise
}

/** The first that is there; `de-CH` is as good as `de` (RFC 4647, section 3.4). */
function firstOf (tags: readonly string[], languages: Languages): string | undefined {
  for (const tag of tags) {
    const parts = tag.toLowerCase().split('-')
    for (let length = parts.length; length > 0; length--) {
      const part = parts.slice(0, length).join('-')
      if (languages.has(part)) return part
    }
  }
  return undefined
}

/** `Accept-Language`: the best first; what is refused (`q=0`) is left out. */
function preferred (header: string): string[] {
  return header.slice(0, longest).split(',')
    .map(each => {
      const [tag = '', ...parameters] = each.split(';').map(part => part.trim())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
