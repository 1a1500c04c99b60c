/** Controls for values of a kind that one can type or choose. */
import type { Schema } from '@fastback/ui/openapi'
import { element } from './dom.js'
import type { Control } from './inputs.js'

/** A control with the ways between a value and what stands in it. */
export interface Editor {
  readonly control: Control
  readonly hint?: string
  textOf (value: unknown): string
  /** Undefined for no value. */
  valueOf (text: string): unknown
}

/** The control for a property; undefined for what only JSON can say. */
export function editorOf (name: string, schema: Schema): Editor | undefined {
  if (Array.isArray(schema.enum)) return choice(schema.enum.filter(each => each !== null))
  const [type, ...more] = [schema.type].flat().filter(each => each !== 'null')
  if (more.length > 0) return undefined
  switch (type) {
    case 'boolean': return choice([true, false])
    case 'number': case 'integer': return numbers(type)
    case 'string': return schema.format === 'date-time' ? moments() : texts(name, schema)
    case 'array': return lists(schema.items as Schema | undefined)
    default: return undefined
  }
}

const choice = (values: readonly unknown[]): Editor => ({
  control: element('select', {}, ...['', ...values.map(String)].map(text => element('option', { value: text }, text))),
  textOf: String,
  valueOf: text => values.find(value => String(value) === text)
})

const numbers = (type: 'number' | 'integer'): Editor => ({
  control: element('input', { type: 'number', step: type === 'integer' ? 1 : 'any' }),
  textOf: String,
  valueOf: text => text === '' ? undefined : Number(text)
})

/** Controls of browsers for formats of texts. */
const inputTypes: Readonly<Record<string, string>> = { date: 'date', 'time-local': 'time' }

function texts (name: string, { format }: Schema): Editor {
  const isSecret = name === 'password' || format === 'password'
  const type = isSecret ? 'password' : inputTypes[String(format)] ?? 'text'
  return {
    control: element('input', {
      type, autocomplete: isSecret ? 'new-password' : 'off', spellcheck: 'false', ...(type === 'time' ? { step: 1 } : {})
    }),
    textOf: String,
    valueOf: text => text === '' ? undefined : text
  }
}

/** Dates in the zone of who looks; JSON has them in UTC. */
const moments = (): Editor => ({
  control: element('input', { type: 'datetime-local', step: 1 }),
  textOf (value) {
    const moment = new Date(String(value))
    return Number.isNaN(moment.getTime())
      ? ''
      : new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  },
  valueOf: text => text === '' ? undefined : new Date(text).toISOString()
})

function lists (items: Schema | undefined): Editor | undefined {
  const [type, ...more] = [items?.type].flat().filter(each => each !== 'null')
  if (more.length > 0 || (type !== 'string' && type !== 'number' && type !== 'integer')) return undefined
  return {
    control: element('textarea', { rows: 2, spellcheck: 'false' }),
    hint: 'One value a line.',
    textOf: value => Array.isArray(value) ? value.join('\n') : '',
    valueOf (text) {
      const lines = text.split('\n').filter(line => line !== '')
      return lines.length === 0 ? undefined : type === 'string' ? lines : lines.map(Number)
    }
  }
}
