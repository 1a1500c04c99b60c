/** Makes a filter of choices: conditions, order, page, properties, and relations with what to read of them. */
import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import type { Schema } from '../../contracts/openapi.js'
import { useUi } from '../ui.js'
import { ConditionBuilder } from '../query/condition-builder.js'
import { noConditions } from '../query/conditions.js'
import { hasWords, subjectsOf, type ConditionSubject } from '../query/subjects.js'
import { filterOf, nothingChosen, type Choices, type Scope } from './filter-choices.js'

/** The component that a filter can be built of: `NoteFilter`, `NoteWhere`. */
export function builtFrom (schema: Schema | undefined): { readonly model: string, readonly kind: string } | undefined {
  const [, model, kind] = /\/([\w.-]+?)(ByIdFilter|Filter|Where)$/.exec(String(schema?.$ref ?? '')) ?? []
  return model === undefined || kind === undefined ? undefined : { model, kind }
}

/** @param onChange is given the filter as JSON; an empty text where nothing is chosen */
export function FilterBuilder ({ schema, id, onChange }: {
  readonly schema: Schema, readonly id: string, readonly onChange: (json: string) => void
}) {
  const { description } = useUi()
  const [choices, setChoices] = useState(nothingChosen)
  const { model, kind } = builtFrom(schema) ?? { model: '', kind: 'Where' }
  const properties = (description.schema(schema).properties ?? {}) as Readonly<Record<string, Schema>>
  const where = kind === 'Where' ? schema : properties.where
  const subjects = subjectsOf(where ?? description.component(`${model}Where`), description, model)
  const names = subjects.filter(({ path }) => path.length === 1).map(({ label }) => label)
  const isSearched = where !== undefined && hasWords(where, description)
  const relations = properties.include === undefined ? [] : description.relations(model)
  const scopes = relations.map(({ name, target }) => ({
    name, subjects: subjectsOf(description.component(`${target}Where`), description, target)
  }))

  const set = (changes: Partial<Choices>): void => {
    const next = { ...choices, ...changes }
    setChoices(next)
    const filter = filterOf(next, { isWhere: kind === 'Where', subjects, relations: scopes })
    onChange(Object.keys(filter).length === 0 ? '' : JSON.stringify(filter))
  }
  const toggled = (list: readonly string[], name: string): string[] =>
    list.includes(name) ? list.filter(each => each !== name) : [...list, name]
  return (
    <div class="filter-builder" role="group" aria-label="Filter builder">
      {where !== undefined && (
        <Part title="where">
          {isSearched && (
            <input
              type="search" aria-label="Words" placeholder={'words "exact words" -not'} value={choices.words}
              onInput={({ currentTarget }) => { set({ words: currentTarget.value }) }}
            />
          )}
          <ConditionBuilder
            subjects={subjects} value={choices.conditions}
            onChange={conditions => { set({ conditions }) }}
          />
        </Part>
      )}
      {properties.order !== undefined && (
        <Part title="order">
          <div class="row">
            <select aria-label="Order by" value={choices.order} onChange={({ currentTarget }) => { set({ order: currentTarget.value }) }}>
              {['', ...names, ...isSearched ? ['$rank DESC'] : []].map(name => <option key={name} value={name}>{name}</option>)}
            </select>
            <select aria-label="Direction" value={choices.direction} onChange={({ currentTarget }) => { set({ direction: currentTarget.value }) }}>
              <option>ASC</option><option>DESC</option>
            </select>
          </div>
        </Part>
      )}
      <div class="row">
        {(['limit', 'skip'] as const).filter(name => properties[name] !== undefined).map(name => (
          <NumberField key={name} id={`${id}-${name}`} name={name} value={choices[name]} onInput={value => { set({ [name]: value }) }}/>
        ))}
      </div>
      {properties.fields !== undefined && names.length > 0 && (
        <Part title="fields">
          <div class="row">
            {names.map(name => (
              <label class="check" key={name}>
                <input type="checkbox" checked={choices.fields.includes(name)} onChange={() => { set({ fields: toggled(choices.fields, name) }) }}/>
                {name}
              </label>
            ))}
          </div>
        </Part>
      )}
      {scopes.length > 0 && (
        <Part title="include">
          {scopes.map(({ name, subjects: those }) => (
            <ScopeField
              key={name} id={`${id}-${name}`} name={name} subjects={those} value={choices.include[name]}
              onChange={scope => {
                const { [name]: _, ...others } = choices.include
                set({ include: scope === undefined ? others : { ...others, [name]: scope } })
              }}
            />
          ))}
        </Part>
      )}
    </div>
  )
}

/** A relation: whether it is read, and what of it. */
const ScopeField = ({ id, name, subjects, value, onChange }: {
  readonly id: string
  readonly name: string
  readonly subjects: readonly ConditionSubject[]
  readonly value: Scope | undefined
  readonly onChange: (scope: Scope | undefined) => void
}) => (
  <div>
    <label class="check">
      <input
        type="checkbox" checked={value !== undefined}
        onChange={({ currentTarget }) => { onChange(currentTarget.checked ? { conditions: noConditions, limit: '' } : undefined) }}
      />{name}
    </label>
    {value !== undefined && (
      <div class="scope">
        {subjects.length > 0 && (
          <ConditionBuilder
            subjects={subjects} about={name} value={value.conditions}
            onChange={conditions => { onChange({ ...value, conditions }) }}
          />
        )}
        <NumberField id={`${id}-limit`} name="limit" value={value.limit} onInput={limit => { onChange({ ...value, limit }) }}/>
      </div>
    )}
  </div>
)

const Part = ({ title, children }: { readonly title: string, readonly children: ComponentChildren }) =>
  <fieldset><legend>{title}</legend>{children}</fieldset>

const NumberField = ({ id, name, value, onInput }: {
  readonly id: string, readonly name: string, readonly value: string, readonly onInput: (value: string) => void
}) =>
  <label class="check" for={id}>
    {name}<input type="number" min={0} step={1} id={id} value={value} onInput={({ currentTarget }) => { onInput(currentTarget.value) }}/>
  </label>
