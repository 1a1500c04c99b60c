/** Rows that rows in between join to one: shown, added and taken away, each at once. */
import type { LinkFacts } from '@fastback/ui/model-facts'
import { RefusedError } from './api.js'
import type { Context } from './context.js'
import { element, type Action } from './explorer/shared.js'
import { frame } from './frame.js'
import { valueOf, type AdminModel, type Row } from './models.js'
import { rowChooser } from './row-chooser.js'
import { rowAddress } from './where.js'

/** Rows that are shown at once. */
const most = 100

/** A section for each relation whose rows the caller may read. */
export function linksOf (model: AdminModel, row: Row, id: string, context: Context): HTMLElement[] {
  return model.facts.links.flatMap((facts, index) => {
    const { get } = model.linksOf(facts.name)
    const field = `link-${index}`
    if (!context.api.may(get, id)) return []
    return [new Links(model, get, facts, { field, id, name: model.labelOf(row) }, context).section]
  })
}

class Links {
  readonly section: HTMLElement
  readonly #list = element('div', {})
  readonly #error = element('p', { class: 'error', role: 'alert', hidden: true })

  constructor (
    private readonly model: AdminModel, private readonly get: Action, private readonly facts: LinkFacts,
    private readonly row: { readonly field: string, readonly id: string, readonly name: string },
    private readonly context: Context
  ) {
    const heading = element('h3', { id: `${row.field}-name` }, facts.name)
    this.section = element('section', { 'aria-labelledby': heading.id }, heading, this.#list, this.#error)
    this.#adder()
    this.#read().catch((error: unknown) => { this.#complain(error) })
  }

  get #other (): AdminModel | undefined { return this.context.models.get(this.facts.model) }

  async #read (): Promise<void> {
    const { api } = this.context
    const { value } = await api.call(this.get, { id: this.row.id, query: { filter: { limit: most + 1 } } })
    const rows = value as Row[]
    this.#list.replaceChildren(
      rows.length === 0
        ? element('p', {}, 'None.')
        : element('ul', { class: 'chips', 'aria-label': this.facts.name },
          ...rows.slice(0, most).map(each => this.#line(each))),
      ...rows.length > most ? [element('p', { class: 'hint' }, `These are the first ${most}.`)] : [])
  }

  #line (related: Row): HTMLElement {
    const key = valueOf(related, this.facts.target)
    const label = this.#other?.labelOf(related) ?? String(key)
    const name = this.#other?.findById === undefined
      ? element('span', {}, label)
      : element('a', { href: rowAddress(this.facts.model, key) }, label)
    const { unlink } = this.model.linksOf(this.facts.name)
    if (!this.context.api.may(unlink, this.row.id)) return element('li', {}, name)
    const off = element('button', { type: 'button', class: 'small', 'aria-label': `Take away ${label}` }, '×')
    off.addEventListener('click', () => {
      this.#change(unlink, key, `${label} was taken away from ${this.row.name}.`, off).catch(this.context.fail)
    })
    return element('li', {}, name, off)
  }

  /** The field that chooses one more. */
  #adder (): void {
    const { api, fail } = this.context
    const { link } = this.model.linksOf(this.facts.name)
    const { field, id } = this.row
    if (!api.may(link, id)) return
    const other = this.#other
    const chooser = rowChooser({
      id: field, other, target: this.facts.target, api, current: undefined, fail,
      hasTextKeys: other?.columns.find(({ name }) => name === this.facts.target)?.schema.type === 'string'
    })
    const add = element('button', { type: 'button' }, 'Add')
    add.addEventListener('click', () => {
      const key = chooser.key()
      if (key === undefined) {
        chooser.control.focus()
        return
      }
      const label = chooser.control.value
      this.#change(link, key, `${label} was added to ${this.row.name}.`, add).then(isDone => {
        if (isDone) chooser.clear()
      }, fail)
    })
    const { element: framed } = frame(chooser.control, chooser.beside, {
      id: field, name: `Add to ${this.facts.name}`, required: false, kind: `a row of ${this.facts.model}`, hint: ''
    })
    this.section.append(framed, element('p', { class: 'buttons' }, add))
  }

  async #change (action: Action, key: unknown, done: string, button: HTMLButtonElement): Promise<boolean> {
    const { api, say } = this.context
    button.disabled = true
    this.#error.hidden = true
    try {
      await api.call(action, { id: this.row.id, key })
      await this.#read()
      say(done)
      // What had the focus may be gone with its row.
      this.section.querySelector<HTMLElement>('[role=combobox]')?.focus()
      return true
    } catch (error) {
      this.#complain(error)
      return false
    } finally {
      button.disabled = false
    }
  }

  #complain (error: unknown): void {
    if (error instanceof RefusedError) {
      this.#error.textContent = error.message
      this.#error.hidden = false
    } else this.context.fail(error)
  }
}
