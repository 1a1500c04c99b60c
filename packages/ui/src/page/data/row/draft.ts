/** What stands in the fields of a form, and what is sent of it. */
import { signal, type Signal } from '@preact/signals'
import type { KeyFacts, KeyTarget } from '../../../contracts/model-facts.js'
import type { ApiDescription } from '../../api/description.js'
import { localMoment, momentOf } from '../../components/moment.js'
import type { Choice } from '../models/choices.js'
import { isPoint, kindOf, type Kind } from '../models/kinds.js'
import { wayOf, type DataModel } from '../models/models.js'
import type { Property } from '../models/properties.js'

/** What cannot be sent; the message stands at the field. */
export class FieldError extends Error {}

export interface DraftParts {
  readonly property: Property
  /** The value that the row has; in a new one its default, undefined where it has none. */
  readonly current: unknown
  readonly model: DataModel
  readonly description: ApiDescription
}

/** What every field has. */
interface Common {
  readonly parts: DraftParts
  /** The properties that it is about: their values are sent together. */
  readonly properties: readonly string[]
  /** What is wrong, by property. */
  readonly errors: Signal<Readonly<Record<string, string>>>
  /**
   * What to send; undefined for nothing.
   * @throws FieldError where it cannot be sent
   */
  readonly values: () => Record<string, unknown>
  /** Files to send next to the values. */
  readonly files: () => readonly File[]
}

export interface TextDraft extends Common {
  readonly kind: 'text'
  readonly of: Exclude<Kind, 'key' | 'keys' | 'file'>
  readonly text: Signal<string>
  /** Whether the browser says that what is typed is no date. */
  readonly isBad: Signal<boolean>
  readonly choices: readonly unknown[] | undefined
}

export interface KeyDraft extends Common {
  readonly kind: 'key'
  readonly to: KeyTarget
  readonly chosen: Signal<Choice | undefined>
}

export interface KeysDraft extends Common {
  readonly kind: 'keys'
  readonly to: KeyTarget
  readonly chosen: Signal<readonly Choice[]>
}

/** The key of a polymorphic relation, with the model that it leads to. */
export interface PairDraft extends Common {
  readonly kind: 'pair'
  readonly facts: KeyFacts
  readonly named: DraftParts
  readonly model: Signal<string>
  readonly chosen: Signal<Choice | undefined>
}

export interface FileReference {
  readonly id?: unknown
  readonly name?: unknown
  readonly size?: unknown
  readonly type?: unknown
}

export interface FileDraft extends Common {
  readonly kind: 'file'
  readonly multiple: boolean
  readonly there: readonly FileReference[]
  /** Positions of those that are to be taken away. */
  readonly removed: Signal<ReadonlySet<number>>
  readonly added: Signal<readonly File[]>
}

export type Draft = TextDraft | KeyDraft | KeysDraft | PairDraft | FileDraft

/** The fields of a form: one for each property, but one for both that make the key of a polymorphic relation. */
export function draftsOf (all: readonly DraftParts[]): Draft[] {
  const pairs = all.flatMap(parts => {
    const facts = parts.model.keyIn(parts.property.name)
    const named = all.find(({ property }) => property.name === facts?.discriminator)
    return facts === undefined || named === undefined ? [] : [{ parts, named, facts }]
  })
  return all.filter(parts => !pairs.some(({ named }) => named === parts)).map(parts => {
    const pair = pairs.find(each => each.parts === parts)
    return pair === undefined ? draftOf(parts) : pairDraft(parts, pair.named, pair.facts)
  })
}

/** Whether a field that is there stands for the same values as a new one. */
export function isSameDraft (there: Draft, made: Draft): boolean {
  if (there.properties[0] !== made.properties[0] || there.files().length > 0) return false
  try {
    return JSON.stringify(there.values()) === JSON.stringify(made.values()) &&
      JSON.stringify(there.parts.current) === JSON.stringify(made.parts.current)
  } catch {
    return false
  }
}

/** The field of one property. */
export function draftOf (parts: DraftParts): Draft {
  const { model, property, description } = parts
  const kind = kindOf(model, property, description)
  if (kind === 'file') return fileDraft(parts)
  const to = model.keyIn(property.name)?.discriminator === undefined ? model.keyIn(property.name)?.to[0] : undefined
  if (to !== undefined && kind === 'keys') return keysDraft(parts, to)
  if (to !== undefined && kind === 'key') return keyDraft(parts, to)
  return textDraft(parts, kind === 'key' || kind === 'keys' ? 'text' : kind)
}

const common = (parts: DraftParts): Pick<Common, 'parts' | 'properties' | 'errors' | 'files'> => ({
  parts, properties: [parts.property.name], errors: signal({}), files: () => []
})

/** What an empty field means: nothing where there was nothing, else that the value goes. */
const emptied = ({ current }: DraftParts): unknown => current === undefined ? undefined : null

const isThere = (value: unknown): boolean => value !== undefined && value !== null

function textDraft (parts: DraftParts, of: TextDraft['of']): TextDraft {
  const { property: { name, schema }, current } = parts
  // Items with lines of their own are not one a line.
  const isLines = of === 'list' && !(Array.isArray(current) && current.some(item => typeof item === 'object' || String(item).includes('\n')))
  const shown = of === 'list' && !isLines ? 'json' : of
  const choices = of === 'yes-no' ? [true, false] : of === 'choice' ? schema.enum as unknown[] : undefined
  const begun = textOf(current, shown, choices)
  const text = signal(begun)
  const isBad = signal(false)
  return {
    ...common(parts), kind: 'text', of: shown, text, isBad, choices,
    values: () => {
      if (isBad.peek()) throw new FieldError('must be a whole date, with its time')
      // What nobody touched is as it was, to the last digit.
      const value = text.peek() === begun && isThere(current) ? current : valueIn(text.peek(), shown, choices, parts)
      return { [name]: value }
    }
  }
}

function textOf (value: unknown, of: TextDraft['of'], choices: readonly unknown[] | undefined): string {
  if (!isThere(value)) return ''
  if (choices !== undefined) return String(choices.indexOf(value))
  if (of === 'moment') return localMoment(value)
  if (of === 'point') return isPoint(value) ? `${value.lat}, ${value.lng}` : JSON.stringify(value)
  if (of === 'list') return Array.isArray(value) ? value.map(String).join('\n') : JSON.stringify(value)
  if (of === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function valueIn (text: string, of: TextDraft['of'], choices: readonly unknown[] | undefined, parts: DraftParts): unknown {
  if (of === 'text') return text !== '' ? text : typeof parts.current === 'string' ? emptyText(parts) : undefined
  if (text.trim() === '') return emptied(parts)
  if (choices !== undefined) return choices[Number(text)]
  switch (of) {
    case 'number': return numberIn(text.trim(), parts)
    case 'moment': return momentOf(text)
    case 'point': return pointIn(text)
    case 'list': return listIn(text, parts)
    case 'json': return jsonIn(text, parts)
    default: return text
  }
}

/** An emptied text is null where that may be, as the property may ask for some characters. */
const emptyText = ({ property, current }: DraftParts): unknown => current === '' ? '' : property.nullable ? null : ''

function numberIn (text: string, { property: { schema } }: DraftParts): unknown {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new FieldError('must be a number')
  if (schema.type === 'integer' && !Number.isInteger(value)) throw new FieldError('must be a whole number')
  // More digits than a number holds stay as they are typed.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value
}

function pointIn (text: string): unknown {
  const [lat, lng, ...more] = text.split(',').map(each => Number(each.trim() === '' ? Number.NaN : each))
  if (lat === undefined || lng === undefined || more.length > 0 || !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) {
    throw new FieldError('must be a latitude and a longitude, such as 48.4, 9.98')
  }
  return { lat, lng }
}

function listIn (text: string, { property: { schema } }: DraftParts): unknown {
  const lines = text.split('\n').map(line => line.trim()).filter(line => line !== '')
  const { type } = (schema.items ?? {}) as { readonly type?: unknown }
  const isNumbers = [type].flat().some(each => each === 'number' || each === 'integer')
  if (!isNumbers) return lines
  const numbers = lines.map(Number)
  if (numbers.some(number => !Number.isFinite(number))) throw new FieldError('must have a number on each line')
  return numbers
}

function jsonIn (text: string, { property: { schema: { type } } }: DraftParts): unknown {
  const value = parsed(text)
  if (type === 'array' && !Array.isArray(value)) throw new FieldError('must be a list: [ … ]')
  if (type === 'object' && (typeof value !== 'object' || Array.isArray(value))) throw new FieldError('must be an object: { … }')
  return value
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FieldError(`is no JSON: ${(error as Error).message}`)
  }
}

const choiceOf = (key: unknown): Choice | undefined => isThere(key) ? { key, label: String(key) } : undefined

function keyDraft (parts: DraftParts, to: KeyTarget): KeyDraft {
  const chosen = signal(choiceOf(parts.current))
  return {
    ...common(parts), kind: 'key', to, chosen,
    values: () => ({ [parts.property.name]: chosen.peek()?.key ?? emptied(parts) })
  }
}

function keysDraft (parts: DraftParts, to: KeyTarget): KeysDraft {
  const { current, property: { name } } = parts
  const keys = Array.isArray(current) ? current as unknown[] : []
  const chosen = signal<readonly Choice[]>(keys.flatMap(key => choiceOf(key) ?? []))
  return {
    ...common(parts), kind: 'keys', to, chosen,
    values: () => {
      const keys = chosen.peek().map(({ key }) => key)
      return { [name]: keys.length === 0 && !isThere(current) ? undefined : keys }
    }
  }
}

function pairDraft (parts: DraftParts, named: DraftParts, facts: KeyFacts): PairDraft {
  const begun = typeof named.current === 'string' ? named.current : ''
  const model = signal(begun)
  const chosen = signal(begun === '' ? undefined : choiceOf(parts.current))
  const [key, discriminator] = [parts.property.name, named.property.name]
  return {
    ...common(parts), kind: 'pair', facts, named, model, chosen,
    properties: [key, discriminator],
    values: () => {
      const [of, value] = [model.peek(), chosen.peek()?.key]
      const isAsItWas = of === begun && !isThere(parts.current)
      if (of !== '' && value === undefined && !isAsItWas) throw new FieldError(`must be a row of ${of}`)
      return { [discriminator]: of === '' ? emptied(named) : of, [key]: of === '' ? emptied(parts) : value ?? emptied(parts) }
    }
  }
}

/** Where the key of a pair leads by now. */
export const pairTarget = ({ facts, model }: PairDraft): KeyTarget | undefined => wayOf(facts, model.value)

function fileDraft (parts: DraftParts): FileDraft {
  const { property: { name, schema }, current } = parts
  const multiple = schema.type === 'array'
  const there = [current ?? []].flat() as FileReference[]
  const removed = signal<ReadonlySet<number>>(new Set())
  const added = signal<readonly File[]>([])
  return {
    ...common(parts), kind: 'file', multiple, there, removed, added,
    files: () => added.peek(),
    values: () => {
      const left = there.filter((_, index) => !removed.peek().has(index))
      if (multiple) return { [name]: left.length === 0 && current === undefined ? undefined : left }
      return { [name]: left[0] ?? (isThere(current) ? null : undefined) }
    }
  }
}
