/** Conditions on properties: for each a property, an operator that fits its type, and a value. */
import type { Schema } from '@fastback/ui/openapi'
import type { ApiDescription } from './description.js'
import { element } from './dom.js'

export interface Conditions {
  readonly element: HTMLElement
  /** The `where`; undefined for no conditions. */
  value (): Readonly<Record<string, unknown>> | undefined
}

const lists: ReadonlySet<string> = new Set(['inq', 'nin', 'between'])
/** Operators whose value is one that rows have. */
const equalities: ReadonlySet<string> = new Set(['', 'eq', 'neq'])
const combining: ReadonlySet<string> = new Set(['and', 'or', 'nor'])

/** The condition on words, which is about no single property. */
export const searchName = '$search'

/**
 * The properties that conditions may be about, by the schema of a model's conditions.
 *
 * ```js
 * conditionProperties({ $ref: '#/components/schemas/NoteWhere' }, description).map(([name]) => name) // ['title', 'id']
 * ```
 */
export const conditionProperties = (where: Schema, description: ApiDescription): Array<readonly [string, Schema]> =>
  membersOf(where, description).filter(([, { 'x-related': model }]) => model === undefined)

const membersOf = (where: Schema, description: ApiDescription): Array<readonly [string, Schema]> =>
  Object.entries((description.schema(where).properties ?? {}) as Readonly<Record<string, Schema>>)
    .filter(([name]) => !combining.has(name) && name !== searchName)

/** A property that a condition may be about: one of the rows, or one of a relation's rows. */
interface ConditionSubject {
  /** As it is offered: `title`, `author.name`, `books (some).title`. */
  readonly label: string
  readonly schema: Schema
  readonly choices: readonly unknown[] | undefined
  /** The condition with a test of it. */
  where (test: unknown): Readonly<Record<string, unknown>>
}

/** The subjects of a model's conditions, and those one relation away. */
function subjectsOf (where: Schema, description: ApiDescription, model: string): ConditionSubject[] {
  const own = conditionProperties(where, description).map(([name, schema]): ConditionSubject =>
    ({ label: name, schema, choices: choicesIn(description, model, name), where: test => ({ [name]: test }) }))
  const related = membersOf(where, description).flatMap(([name, { 'x-related': to, properties }]) => {
    if (typeof to !== 'string') return []
    const isList = properties !== undefined
    return conditionProperties(description.component(`${to}Where`), description).map(([inner, schema]) => ({
      label: isList ? `${name} (some).${inner}` : `${name}.${inner}`,
      schema,
      choices: choicesIn(description, to, inner),
      where: (test: unknown) => ({ [name]: isList ? { some: { [inner]: test } } : { [inner]: test } })
    }))
  })
  return [...own, ...related]
}

/**
 * Rows of fields for conditions, with a button for one more.
 *
 * ```js
 * const conditions = conditionRows({ $ref: '#/components/schemas/NoteWhere' }, description, '', () => {}, 'Note')
 * form.append(conditions.element)
 * conditions.value() // { title: { like: 'A%' } }, when it was chosen
 * ```
 * @param where the schema of a model's conditions
 * @param changed is called when what `value` gives may be another
 * @param model whose rows they are about: values of its properties that are known are a choice
 */
export function conditionRows (
  where: Schema, description: ApiDescription, label: string, changed: () => void, model: string
): Conditions {
  const subjects = subjectsOf(where, description, model)
  const rows: Array<() => Readonly<Record<string, unknown>> | undefined> = []
  const place = element('div', {})
  const text = label === '' ? 'Add a condition' : `Add a condition on ${label}`
  const add = element('button', { type: 'button', class: 'small' }, text)
  add.addEventListener('click', () => {
    const row = conditionRow(subjects, description, changed, () => {
      rows.splice(rows.indexOf(row.value), 1)
      row.element.remove()
      add.focus()
      changed()
    })
    rows.push(row.value)
    place.append(row.element)
    row.element.querySelector('select')?.focus()
    changed()
  })
  return {
    element: element('div', { class: 'conditions' }, place, add),
    value: () => {
      const conditions = rows.map(value => value()).filter(condition => condition !== undefined)
      const names = new Set(conditions.flatMap(condition => Object.keys(condition)))
      return conditions.length === 0
        ? undefined
        : names.size === conditions.length
          ? Object.assign({}, ...conditions) as Readonly<Record<string, unknown>>
          : { and: conditions }
    }
  }
}

interface ConditionRow {
  readonly element: HTMLElement
  value: () => Readonly<Record<string, unknown>> | undefined
}

function conditionRow (
  subjects: readonly ConditionSubject[],
  description: ApiDescription,
  changed: () => void,
  remove: () => void
): ConditionRow {
  const property = element('select', { 'aria-label': 'Property' },
    ...subjects.map(({ label }) => element('option', { value: label }, label)))
  const operator = element('select', { 'aria-label': 'Operator' })
  const value = element('input', { type: 'text', 'aria-label': 'Value', autocomplete: 'off', spellcheck: 'false' })
  const choice = element('select', { 'aria-label': 'Value' })
  const gone = element('button', { type: 'button', class: 'small', 'aria-label': 'Remove the condition' }, '×')
  const subject = (): ConditionSubject | undefined => subjects.find(({ label }) => label === property.value)
  const schema = (): Schema => subject()?.schema ?? {}
  let choices: readonly unknown[] | undefined
  const showOperators = (): void => {
    operator.replaceChildren(...operatorsOf(schema(), description).map(name =>
      element('option', { value: name }, name === '' ? 'is' : name)))
    choices = subject()?.choices
    choice.replaceChildren(element('option', { value: '' }, ''), ...(choices ?? []).map((each, index) =>
      element('option', { value: index }, String(each))))
    showValue()
  }
  const isChosen = (): boolean => choices !== undefined && equalities.has(operator.value)
  const showValue = (): void => {
    const [shown, other] = isChosen() ? [choice, value] : [value, choice]
    other.replaceWith(shown)
    value.placeholder = lists.has(operator.value)
      ? choices === undefined ? 'values, with commas between' : `of ${choices.map(String).join(', ')}`
      : operator.value === 'exists' ? 'true or false' : typesOf(schema(), description).join(' or ')
  }
  property.addEventListener('change', () => { showOperators(); changed() })
  operator.addEventListener('change', () => { showValue(); changed() })
  choice.addEventListener('change', changed)
  value.addEventListener('input', changed)
  gone.addEventListener('click', remove)
  const row = element('div', { class: 'row' }, property, operator, value, gone)
  showOperators()
  const given = (): unknown => {
    if (isChosen()) return choice.value === '' ? undefined : choices?.[Number(choice.value)]
    if (value.value === '') return undefined
    const types = operator.value === 'exists' ? ['boolean'] : typesOf(schema(), description)
    const read = (text: string): unknown => valueOf(text.trim(), types)
    return lists.has(operator.value) ? value.value.split(',').map(read) : read(value.value)
  }
  return {
    element: row,
    value: () => {
      const wanted = given()
      if (wanted === undefined) return undefined
      return subject()?.where(operator.value === '' ? wanted : { [operator.value]: wanted })
    }
  }
}

/** The only values that a property may have, or the items of its lists. */
function choicesIn (description: ApiDescription, model: string, name: string): readonly unknown[] | undefined {
  const { properties = {} } = description.component(model) as { readonly properties?: Readonly<Record<string, Schema>> }
  if (!Object.hasOwn(properties, name)) return undefined
  const property = description.schema(properties[name] as Schema)
  const { enum: values } = property.items === undefined ? property : description.schema(property.items as Schema)
  return Array.isArray(values) ? values.filter(each => each !== null) : undefined
}

/** The operators of a property's type; '' is the value alone. Anything has all of them. */
function operatorsOf (schema: Schema, description: ApiDescription): string[] {
  const branches = [schema, ...(schema.anyOf ?? []) as Schema[]].map(branch => description.schema(branch))
  const named = branches.map(({ properties }) => Object.keys(properties ?? {})).find(names => names.length > 0)
  const isPlace = schema.$ref !== undefined
  return named === undefined
    ? ['', 'neq', 'inq', 'nin', 'exists', 'gt', 'gte', 'lt', 'lte', 'like', 'regexp']
    : [...isPlace ? [] : [''], ...named.filter(name => name !== 'eq' && name !== 'options')]
}

/** Types of the plain value beside the operators. */
function typesOf (schema: Schema, description: ApiDescription): string[] {
  const plain = ((schema.anyOf ?? []) as Schema[])
    .map(branch => description.schema(branch))
    .filter(({ properties }) => properties === undefined)
  return plain
    .flatMap(({ type, format }) => [type].flat().map(each => format === 'date-time' ? 'date' : String(each)))
    .filter(type => type !== 'null' && type !== 'undefined')
}

function valueOf (text: string, types: readonly string[]): unknown {
  if (text === 'null') return null
  if (types.includes('string') || types.includes('date')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
