/** The text index of a model: `indexes: { search: { text: ['title', 'body'], language: 'english' } }`. */
import type { ModelDefinition } from '../definition/definition.js'
import { locationOf } from '../definition/location.js'
import type { CompiledProperty, StoredTextIndex } from '../definition/stored-model.js'
import { InvalidDefinitionError } from '../errors.js'

/** The languages of PostgreSQL's text search; `simple` takes words as they are written. */
export const searchLanguages: readonly string[] = [
  'simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german',
  'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese',
  'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish'
]

/** Whether an entry of `indexes` is a text index: `text` is a list. A number is an index on a property of that name. */
export const isTextIndex = (written: unknown): written is { readonly text: readonly unknown[] } =>
  written !== null && typeof written === 'object' && Array.isArray((written as { readonly text?: unknown }).text)

/**
 * The text index that a definition asks for; undefined without one.
 * @throws FBK_CORE_INVALID_DEFINITION for a second one, an unknown language, and properties that hold no text or that
 * callers may not see: who can search a text finds out what is in it
 */
export function compileTextIndex (
  definition: ModelDefinition, properties: readonly CompiledProperty[]
): StoredTextIndex | undefined {
  const written = Object.entries(definition.settings.indexes ?? {}).filter(([, index]) => isTextIndex(index))
  const [first, second] = written
  if (first === undefined) return undefined
  const [name, index] = first as [string, { readonly text: readonly unknown[], readonly language?: unknown }]
  const refuse = (why: string, place = name): never => {
    throw new InvalidDefinitionError(locationOf(definition, `indexes.${place}`), why)
  }
  if (second !== undefined) refuse(`is a second text index beside "${name}"; a model has one at most`, second[0])
  const { text, language = 'simple', ...others } = index
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) refuse(`has no "${unknown}"; a text index has "text" and "language"`)
  if (text.length === 0) refuse('must name a property in "text"')
  if (new Set(text).size < text.length) refuse('must name each property in "text" once')
  if (typeof language !== 'string' || !searchLanguages.includes(language)) {
    refuse(`must have a "language" that is one of ${searchLanguages.join(', ')}`)
  }
  const searched = text.map(each => {
    const property = properties.find(property => property.name === each)
    if (property === undefined) return refuse(`names ${JSON.stringify(each)} in "text", which is no property`)
    if (property.type.kind !== 'string' || property.type.calendar !== undefined) {
      refuse(`names "${property.name}" in "text", which holds no text`)
    }
    if (property.sealed !== undefined) refuse(`names "${property.name}" in "text", which is sealed: it has no words`)
    if (property.hidden || property.protected || property.internal) {
      refuse(`names "${property.name}" in "text", which callers may not see: a search would tell what it holds`)
    }
    return property.name
  })
  return { name, properties: searched, language: language as string }
}
