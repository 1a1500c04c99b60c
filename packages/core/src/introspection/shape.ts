/** What many samples of one value have been (discovery.md, IN-9, IN-10). */
import { InvalidDefinitionError, TooDeepError, UnsafeNameError } from '../errors.js'

/** Levels, keys of all objects together, and items of one list that are looked at. */
const limits = { depth: 32, keys: 10_000, items: 1_000 }

/** What an object of JavaScript cannot have as a name of its own without trouble. */
export const unsafeNames: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Distinct texts that are remembered, for enumerations. */
const manyTexts = 50

/** What was seen at one place. */
export interface Shape {
  /** Samples that had the place, null counted. */
  seen: number
  nulls: number
  /** Empty texts and lists: a required property refuses them. */
  blanks: number
  booleans: number
  numbers: number
  whole: boolean
  dates: number
  texts: number
  /** Distinct texts; undefined where there are too many to tell. */
  distinct: Set<string> | undefined
  formats: Set<string>
  objects: number
  members: Map<string, Shape>
  lists: number
  items: Shape | undefined
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
  uri: /^[a-z][a-z\d+.-]*:\/\/\S+$/i
}

const empty = (): Shape => ({
  seen: 0,
  nulls: 0,
  blanks: 0,
  booleans: 0,
  numbers: 0,
  whole: true,
  dates: 0,
  texts: 0,
  distinct: new Set(),
  formats: new Set(Object.keys(formats)),
  objects: 0,
  members: new Map(),
  lists: 0,
  items: undefined
})

/**
 * The shape of samples, each an object.
 * @throws FBK_UNSAFE_NAME, FBK_CORE_TOO_DEEP
 */
export function shapeOf (samples: Iterable<unknown>): Shape {
  const shape = empty()
  const budget = { keys: limits.keys }
  for (const sample of samples) add(shape, sample, 0, budget)
  return shape
}

function add (shape: Shape, value: unknown, depth: number, budget: { keys: number }): void {
  if (depth > limits.depth) throw new TooDeepError(limits.depth)
  shape.seen++
  if (value === null || value === undefined) shape.nulls++
  else if (typeof value === 'boolean') shape.booleans++
  else if (typeof value === 'number') {
    shape.numbers++
    shape.whole &&= Number.isSafeInteger(value)
  } else if (value instanceof Date) shape.dates++
  else if (typeof value === 'string') addText(shape, value)
  else if (Array.isArray(value)) {
    shape.lists++
    if (value.length === 0) shape.blanks++
    for (const item of value.slice(0, limits.items)) add(shape.items ??= empty(), item, depth + 1, budget)
  } else if (typeof value === 'object') addObject(shape, value, depth, budget)
}

function addText (shape: Shape, text: string): void {
  shape.texts++
  if (text.trim() === '') shape.blanks++
  if (shape.distinct !== undefined && shape.distinct.size < manyTexts) shape.distinct.add(text)
  else shape.distinct = undefined
  for (const name of shape.formats) if (!(formats[name] as RegExp).test(text)) shape.formats.delete(name)
}

function addObject (shape: Shape, value: object, depth: number, budget: { keys: number }): void {
  shape.objects++
  for (const [name, member] of Object.entries(value)) {
    if (unsafeNames.includes(name)) throw new UnsafeNameError(name)
    let known = shape.members.get(name)
    if (known === undefined) {
      if (--budget.keys < 0) throw new InvalidDefinitionError('introspect', `the samples have more than ${limits.keys} names`)
      shape.members.set(name, known = empty())
    }
    add(known, member, depth + 1, budget)
  }
}
