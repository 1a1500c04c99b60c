import { Html, html } from '@fastback/auth/service'

type Value = string | Html

/**
 * A text with what stands in braces filled in; all of it escaped, unless it is a piece of a page itself.
 *
 * ```js
 * fill('Allow {client}?', { client: html`<strong>${name}</strong>` })
 * ```
 */
export const fill = (text: string, values: Readonly<Record<string, Value>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((part, i) => {
    const value = i % 2 === 1 && Object.hasOwn(values, part) ? values[part] as Value : i % 2 === 1 ? `{${part}}` : part
    return value instanceof Html ? value : html`${value}`
  })}`

/**
 * The same for titles, which have no marks.
 *
 * ```js
 * fillText('Allow {client}?', { client: 'Shop' }) // 'Allow Shop?'
 * ```
 */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => Object.hasOwn(values, name) ? values[name] as string : all)

/** A name among other words. */
export const strong = (text: string): Html => html`<strong>${text}</strong>`

/** As the clock of this server, UTC, has it: there is no script that knows the browser's. */
export const time = (date: Date): Html =>
  html`<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`
