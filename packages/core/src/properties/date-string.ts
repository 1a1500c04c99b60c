/** LoopBack's `DateString`: a date that keeps the form it was written in. */
import { inspect } from 'node:util'

/**
 * Text that says a date.
 *
 * ```js
 * new DateString('2001-01-01').toString() // '2001-01-01'
 * ```
 * @throws Error for what is no text, or says no date
 */
class DateStringValue {
  declare _when: string
  declare _date: Date

  constructor (value: unknown) {
    const text: unknown = value instanceof DateStringValue ? value.when : value
    if (typeof text !== 'string') throw new Error('Input must be a string')
    this.when = text
  }

  /** The text. */
  get when (): string {
    return this._when
  }

  set when (text: string) {
    const date = new Date(text)
    if (Number.isNaN(date.getTime())) throw new Error('Invalid date')
    this._when = text
    this._date = date
  }

  toString (): string {
    return this.when
  }

  toJSON (): string {
    return JSON.stringify({ when: this.when })
  }

  [inspect.custom] (): string {
    return `DateString ${inspect({ when: this.when, _date: this._date })}`
  }
}

export interface DateStringClass {
  new (value: unknown): DateStringValue
  (value: unknown): DateStringValue
}

/**
 * Text that says a date; callable without `new`.
 *
 * ```js
 * DateString('2001-01-01').toString() // '2001-01-01'
 * ```
 * @throws Error for what is no text, or says no date
 */
export const DateString = new Proxy(Object.defineProperty(DateStringValue, 'name', { value: 'DateString' }), {
  apply: (Class, _this, [value]: [unknown]) => new Class(value)
}) as unknown as DateStringClass
