/** The models of the page: what the description has of each, and what the server knows of its keys. */
import { signal } from '@preact/signals'
import type { AdminFacts, KeyFacts, KeyTarget, ModelFacts } from '../../../contracts/model-facts.js'
import type { Schema } from '../../../contracts/openapi.js'
import { plainId, type Action, type ApiDescription } from '../../api/description.js'
import { conditionProperties, searchName } from '../../query/subjects.js'
import { propertiesOf, valueOf, type Property, type Row } from './properties.js'

/** What rows are likely to be called by, the likeliest first. */
const likely = ['name', 'title', 'label', 'email', 'username', 'code', 'subject']

/** Characters of what a row is called by. */
const most = 120

/** A text that is no longer than that. */
export const clipped = (text: string, length: number): string => text.length > length ? `${text.slice(0, length)}…` : text

export class DataModel {
  readonly #actions: ReadonlyMap<string, Action>
  readonly #fields = new Map<Action, readonly Property[]>()
  #titles: readonly string[] | undefined
  #columns: readonly Property[] | undefined

  constructor (readonly facts: ModelFacts, private readonly description: ApiDescription) {
    const actions = description.of(facts.name)
    // Of several routes of a method the first counts; streams are read by GET.
    const named = actions.map(action => [plainId(action).slice(facts.name.length + 1), action] as const)
    this.#actions = new Map(named.reverse())
  }

  get name (): string { return this.facts.name }

  get find (): Action | undefined { return this.#actions.get('find') }
  get findById (): Action | undefined { return this.#actions.get('findById') }
  get create (): Action | undefined { return this.#actions.get('create') }
  get update (): Action | undefined { return this.#actions.get('prototype.patchAttributes') }
  get remove (): Action | undefined { return this.#actions.get('deleteById') }
  get restore (): Action | undefined { return this.#actions.get('restoreById') }
  get history (): Action | undefined { return this.#actions.get('historyOf') }
  get revert (): Action | undefined { return this.#actions.get('revert') }
  get count (): Action | undefined { return this.#actions.get('count') }

  get stream (): Action | undefined {
    return this.description.of(this.name).find(action =>
      action.verb === 'GET' && plainId(action) === `${this.name}.createChangeStream`)
  }

  /** What sends the file of a property. */
  fileOf (property: string): Action | undefined {
    return this.#actions.get(`prototype.__get__${property}`)
  }

  /** What lists, adds and takes away rows that rows in between join to one. */
  linksOf (relation: string): { get?: Action, link?: Action, unlink?: Action } {
    const named = (verb: string): Action | undefined => this.#actions.get(`prototype.__${verb}__${relation}`)
    const [get, link, unlink] = [named('get'), named('link'), named('unlink')]
    return { ...get && { get }, ...link && { link }, ...unlink && { unlink } }
  }

  /** Properties of the rows as they are read. */
  get columns (): readonly Property[] {
    return (this.#columns ??= this.#findColumns())
  }

  #findColumns (): Property[] {
    const { keys, lists, links } = this.facts
    const related = new Set([...keys, ...lists, ...links].map(({ name }) => name))
    const own = this.description.component(`${this.name}Row`)
    const schema = own.properties === undefined ? this.description.component(this.name) : own
    return propertiesOf(schema, this.description).filter(({ name }) => !related.has(name))
  }

  /** Properties that a form sends. */
  fieldsOf (action: Action): readonly Property[] {
    const fields = this.#fields.get(action) ?? this.#findFields(action)
    this.#fields.set(action, fields)
    return fields
  }

  #findFields (action: Action): Property[] {
    const written = action.requestBody?.content['application/json']?.schema
    const schema = this.description.schema(written)
    const one = (schema.anyOf as Schema[] | undefined)?.[0] ?? schema
    return propertiesOf(this.description.schema(one), this.description)
  }

  /** The schema of conditions on its rows. */
  get where (): Schema { return { $ref: `#/components/schemas/${this.name}Where` } }

  /** What the condition on words says of itself; undefined for models without a text index. */
  get wordSearch (): Schema | undefined {
    const { properties = {} } = this.description.schema(this.where) as { properties?: Readonly<Record<string, Schema>> }
    return Object.hasOwn(properties, searchName) ? properties[searchName] : undefined
  }

  /** Whether a property may be searched by a part of its text. */
  isSearchable (property: string): boolean {
    const [, condition] = conditionProperties(this.where, this.description).find(([name]) => name === property) ?? []
    return ((condition?.anyOf ?? []) as Schema[]).some(branch =>
      Object.hasOwn((this.description.schema(branch).properties ?? {}) as object, 'ilike'))
  }

  /**
   * The properties that tell people which row it is, the one that says it best first: a row without a value there is
   * called by the next. Empty for models that have none but the id.
   */
  get titles (): readonly string[] {
    return (this.#titles ??= this.#findTitles())
  }

  #findTitles (): string[] {
    const { title, id } = this.facts
    const texts = this.columns.filter(({ schema, name }) =>
      schema.type === 'string' && schema.enum === undefined && schema.format !== 'date-time' && name !== id)
    const named = likely.filter(name => texts.some(text => text.name === name))
    const other = texts.find(({ required }) => required) ?? texts[0]
    const found = named.length > 0 || other === undefined ? named : [other.name]
    return title === undefined ? found : [title, ...found.filter(name => name !== title)]
  }

  /** The property that its list is searched by; undefined where rows have none but the id. */
  get labelled (): string | undefined { return this.titles[0] }

  labelOf (row: Row): string {
    const { titles, facts: { id } } = this
    const text = titles.map(title => valueOf(row, title)).find(isLabel)
    if (text !== undefined) return clipped(String(text), most)
    return id === undefined ? this.name : `${this.name} ${String(valueOf(row, id))}`
  }

  /** What a property leads to, where it holds keys. */
  keyIn (property: string): KeyFacts | undefined {
    return this.facts.keys.find(({ key }) => key === property)
  }

  /** The rows that a property of a row leads to. */
  leads (row: Row, property: string): Lead[] {
    const facts = this.keyIn(property)
    const value = valueOf(row, property)
    if (facts === undefined) return []
    const to = wayOf(facts, facts.discriminator === undefined ? undefined : valueOf(row, facts.discriminator))
    const keys = facts.many && Array.isArray(value) ? value as unknown[] : [value]
    return to === undefined ? [] : keys.filter(key => key !== null && key !== undefined).map(key => ({ ...to, key }))
  }
}

/** Whether a value says something of a row: an empty text does not. */
const isLabel = (value: unknown): boolean => (typeof value === 'string' && value !== '') || typeof value === 'number'

/** A row that a key leads to. */
export interface Lead extends KeyTarget {
  readonly key: unknown
}

/** Where a key leads: of a polymorphic relation the model that its discriminator names. */
export const wayOf = ({ to, discriminator }: KeyFacts, named: unknown): KeyTarget | undefined =>
  discriminator === undefined ? to[0] : to.find(({ model }) => model === named)

export class Models {
  readonly #byName: ReadonlyMap<string, DataModel>
  /** Names of the models that the caller may list; undefined where the server does not say. */
  readonly #readable = signal<ReadonlySet<string> | undefined>(undefined)

  constructor (private readonly facts: AdminFacts, description: ApiDescription) {
    this.#byName = new Map(facts.models.map(model => [model.name, new DataModel(model, description)]))
  }

  /** Asks which models the caller may list, after a login or its end. */
  async askReadable (headers: Readonly<Record<string, string>>): Promise<void> {
    const response = await fetch('readable.json', { headers, cache: 'no-store' }).catch(() => undefined)
    const { models } = response?.ok === true ? await response.json() as { models?: string[] } : {}
    this.#readable.value = models === undefined ? undefined : new Set(models)
  }

  /** The models that have rows to list, for the caller, by name. */
  get listed (): DataModel[] {
    return [...this.#byName.values()]
      .filter(({ find, name }) => find !== undefined && (this.#readable.value?.has(name) ?? true))
      .sort((one, other) => one.name.localeCompare(other.name))
  }

  get (name: string | undefined): DataModel | undefined {
    return name === undefined ? undefined : this.#byName.get(name)
  }

  /** Whether a model is one of users, of roles, or of who has them. */
  isOfUsers (model: DataModel): boolean {
    const { role, mapping } = this.facts
    return model.facts.principalType !== undefined || model.name === role || model.name === mapping
  }

  get role (): DataModel | undefined { return this.get(this.facts.role) }
  get mapping (): DataModel | undefined { return this.get(this.facts.mapping) }
}

/** @throws Error where the server has none */
export async function loadModels (description: ApiDescription): Promise<Models> {
  const response = await fetch('models.json', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`The models could not be read: ${response.status}`)
  return new Models(await response.json() as AdminFacts, description)
}
