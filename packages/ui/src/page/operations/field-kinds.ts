/** Controls for values of a kind that one can type or choose. */
import type { Schema } from '../../contracts/openapi.js'

export interface FieldKind {
  readonly control: 'select' | 'number' | 'text' | 'password' | 'date' | 'time' | 'datetime-local' | 'lines'
  /** Of a select. */
  readonly choices?: readonly string[]
  /** Of a number. */
  readonly step?: number | 'any'
  textOf (value: unknown): string
  /** Undefined for no value. */
  valueOf (text: string): unknown
}

/** The control for a property; undefined for what only JSON can say. */
export function fieldKindOf (name: string, schema: Schema): FieldKind | undefined {
  if (Array.isArray(schema.enum)) return choice(schema.enum.filter(each => each !== null))
  const [type, ...more] = [schema.type].flat().filter(each => each !== 'null')
  if (more.length > 0) return undefined
  switch (type) {
    case 'boolean': return choice([true, false])
    case 'number': case 'integer': return {
      control: 'number', step: type === 'integer' ? 1 : 'any', textOf: String, valueOf: text => text === '' ? undefined : Number(text)
    }
    case 'string': return schema.format === 'date-time' ? moment : textKind(name, schema)
    case 'array': return listKind(schema.items as Schema | undefined)
    default: return undefined
  }
}

const choice = (values: readonly unknown[]): FieldKind => ({
  control: 'select', choices: values.map(String), textOf: String, valueOf: text => values.find(value => String(value) === text)
})

function textKind (name: string, { format }: Schema): FieldKind {
  const isSecret = name === 'password' || format === 'password'
  const control = isSecret ? 'password' : format === 'date' ? 'date' : format === 'time-local' ? 'time' : 'text'
  return { control, textOf: String, valueOf: text => text === '' ? undefined : text }
}

/** Dates in the zone of who looks; JSON has them in UTC. */
const moment: FieldKind = {
  control: 'datetime-local',
  textOf (value) {
    const found = new Date(String(value))
    return Number.isNaN(found.getTime())
      ? ''
      : new Date(found.getTime() - found.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  },
  valueOf: text => text === '' ? undefined : new Date(text).toISOString()
}

function listKind (items: Schema | undefined): FieldKind | undefined {
  const [type, ...more] = [items?.type].flat().filter(each => each !== 'null')
  if (more.length > 0 || (type !== 'string' && type !== 'number' && type !== 'integer')) return undefined
  return {
    control: 'lines',
    textOf: value => Array.isArray(value) ? value.join('\n') : '',
    valueOf (text) {
      const lines = text.split('\n').filter(line => line !== '')
      return lines.length === 0 ? undefined : type === 'string' ? lines : lines.map(Number)
    }
  }
}
