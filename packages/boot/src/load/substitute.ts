/**
 * `${NAME}` in configuration: an environment variable first, else a setting of the application (behaviour.md, section
 * 12).
 */

export interface Substitution {
  /** The application's setting of this name. */
  setting (name: string): unknown
  /** The environment variable of this name. */
  variable (name: string): string | undefined
  /** Told about every name that stands for nothing. */
  unresolved (name: string, text: string): void
}

const whole = /^\$\{(\w+)\}$/
const part = /\$\{(\w+)\}/g

/**
 * Replaces `${NAME}` in every text of a configuration. A text that is nothing but `${NAME}` becomes the value itself (a
 * number stays one), or undefined when there is none, so that other settings can take its place; inside a longer text
 * the value is put in, and a name that stands for nothing is left as it is.
 */
export function substitute<T> (value: T, by: Substitution): T {
  if (typeof value === 'string') return text(value, by) as T
  if (Array.isArray(value)) return value.map(each => substitute(each as unknown, by)) as T
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, substitute(each as unknown, by)])) as T
}

function text (value: string, by: Substitution): unknown {
  const name = whole.exec(value)?.[1]
  if (name === undefined) {
    return value.replace(part, (written, inner: string) => String(valueOf(inner, value, by) ?? written))
  }
  return valueOf(name, value, by)
}

function valueOf (name: string, text: string, by: Substitution): unknown {
  const found = by.variable(name) ?? by.setting(name)
  if (found === undefined) by.unresolved(name, text)
  return found
}
