/** What is wanted: a model, a property, a relation. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Definitions, ProposedChange } from '../../../contracts/models.js'
import { Button, IconButton } from '../../components/button.js'
import { controlProps, Field } from '../../components/field.js'

interface FormParts {
  readonly definitions: Definitions
  readonly isBusy: boolean
  readonly onPropose: (change: ProposedChange) => void
}

const Form = ({ isBusy, onSubmit, children }: {
  readonly isBusy: boolean, readonly onSubmit: () => void, readonly children: ComponentChildren
}) =>
  <form class="request-form" onSubmit={event => { event.preventDefault(); onSubmit() }}>
    {children}
    <div class="buttons"><Button kind="primary" type="submit" disabled={isBusy}>See the change</Button></div>
  </form>

const Text = ({ id, label, value, required = false, hint, onInput }: {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly required?: boolean
  readonly hint?: string
  readonly onInput: (text: string) => void
}) =>
  <Field id={id} label={label} required={required} {...hint === undefined ? {} : { hint }}>
    <input
      {...controlProps({ id, required, hint })} type="text" required={required} autocomplete="off" spellcheck={false} value={value}
      onInput={({ currentTarget }) => { onInput(currentTarget.value) }}
    />
  </Field>

const Choice = ({ id, label, value, choices, none, onChange }: {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly choices: readonly string[]
  /** What no choice is called; absent where there must be one. */
  readonly none?: string
  readonly onChange: (choice: string) => void
}) =>
  <Field id={id} label={label}>
    <select {...controlProps({ id })} value={value} onChange={({ currentTarget }) => { onChange(currentTarget.value) }}>
      {none !== undefined && <option value="">{none}</option>}
      {choices.map(choice => <option key={choice} value={choice}>{choice}</option>)}
    </select>
  </Field>

const Check = ({ label, checked, onChange }: {
  readonly label: string, readonly checked: boolean, readonly onChange: (checked: boolean) => void
}) =>
  <label class="check"><input type="checkbox" checked={checked} onChange={({ currentTarget }) => { onChange(currentTarget.checked) }}/>{label}</label>

export function ModelForm ({ definitions: { bases, dataSources, types }, isBusy, onPropose }: FormParts) {
  const [name, plural, isPublic] = [useSignal(''), useSignal(''), useSignal(true)]
  const base = useSignal(bases.includes('PersistedModel') ? 'PersistedModel' : bases[0] ?? '')
  const dataSource = useSignal(dataSources[0]?.name ?? '')
  const properties = useSignal<ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly required: boolean
  }>>([])
  const set = (index: number, change: object): void => {
    properties.value = properties.value.map((each, at) => at === index ? { ...each, ...change } : each)
  }
  return (
    <Form
      isBusy={isBusy} onSubmit={() => {
        onPropose({
          kind: 'model', name: name.value.trim(), base: base.value, public: isPublic.value,
          ...dataSource.value === '' ? {} : { dataSource: dataSource.value },
          ...plural.value === '' ? {} : { plural: plural.value },
          properties: properties.value.filter(each => each.name !== '')
        })
      }}
    >
      <Text id="new-name" label="Name" required value={name.value} onInput={text => { name.value = text }}/>
      <Choice id="new-base" label="Extends" choices={bases} value={base.value} onChange={choice => { base.value = choice }}/>
      <Choice
        id="new-source" label="Data source" choices={dataSources.map(each => each.name)} none="(no data source)" value={dataSource.value}
        onChange={choice => { dataSource.value = choice }}
      />
      <Text id="new-plural" label="Plural" hint="Where its routes are; made of the name if it is empty" value={plural.value} onInput={text => { plural.value = text }}/>
      <Check label="Public, by REST" checked={isPublic.value} onChange={checked => { isPublic.value = checked }}/>
      <fieldset>
        <legend>Properties</legend>
        {properties.value.map((property, index) => (
          <div class="new-property" key={index}>
            <input
              type="text" aria-label={`Name of property ${index + 1}`} value={property.name} autocomplete="off" spellcheck={false}
              onInput={({ currentTarget }) => { set(index, { name: currentTarget.value }) }}
            />
            <select aria-label={`Type of property ${index + 1}`} value={property.type} onChange={({ currentTarget }) => { set(index, { type: currentTarget.value }) }}>
              {types.map(type => <option key={type} value={type}>{type}</option>)}
            </select>
            <Check label="required" checked={property.required} onChange={required => { set(index, { required }) }}/>
            <IconButton label={`Without property ${index + 1}`} icon="x" onClick={() => { properties.value = properties.value.filter((_, at) => at !== index) }}/>
          </div>
        ))}
        <Button kind="quiet" icon="plus" onClick={() => { properties.value = [...properties.value, { name: '', type: 'string', required: false }] }}>Add a property</Button>
      </fieldset>
    </Form>
  )
}

export function PropertyForm ({ model, definitions: { types }, isBusy, onPropose }: FormParts & {
  readonly model: string
}) {
  const [name, type, initial, required] = [useSignal(''), useSignal('string'), useSignal(''), useSignal(false)]
  return (
    <Form
      isBusy={isBusy} onSubmit={() => {
        onPropose({
          kind: 'property', model, name: name.value.trim(), type: type.value, required: required.value,
          ...initial.value === '' ? {} : { default: initial.value }
        })
      }}
    >
      <Text id="new-name" label="Name" required value={name.value} onInput={text => { name.value = text }}/>
      <Choice id="new-type" label="Type" choices={types} value={type.value} onChange={choice => { type.value = choice }}/>
      <Text id="new-default" label="Default" hint="$now and guid make values" value={initial.value} onInput={text => { initial.value = text }}/>
      <Check label="Required" checked={required.value} onChange={checked => { required.value = checked }}/>
    </Form>
  )
}

const relationTypes = ['belongsTo', 'hasMany', 'hasOne', 'hasAndBelongsToMany'] as const

export function RelationForm ({ model, definitions: { models }, isBusy, onPropose }: FormParts & {
  readonly model: string
}) {
  const names = models.map(({ name }) => name)
  const [type, to] = [useSignal<typeof relationTypes[number]>('belongsTo'), useSignal(names.find(each => each !== model) ?? model)]
  const [name, foreignKey, through] = [useSignal(''), useSignal(''), useSignal('')]
  return (
    <Form
      isBusy={isBusy} onSubmit={() => {
        onPropose({
          kind: 'relation', model, type: type.value, to: to.value,
          ...name.value === '' ? {} : { name: name.value },
          ...foreignKey.value === '' ? {} : { foreignKey: foreignKey.value },
          ...through.value === '' ? {} : { through: through.value }
        })
      }}
    >
      <Choice
        id="new-type" label="Type" choices={relationTypes} value={type.value}
        onChange={choice => { type.value = relationTypes.find(each => each === choice) ?? 'belongsTo' }}
      />
      <Choice id="new-to" label="To" choices={names} value={to.value} onChange={choice => { to.value = choice }}/>
      <Text id="new-name" label="Name" hint="Made of the model's if it is empty" value={name.value} onInput={text => { name.value = text }}/>
      <Text id="new-key" label="Foreign key" hint="Made of the name if it is empty" value={foreignKey.value} onInput={text => { foreignKey.value = text }}/>
      {type.value === 'hasMany' && (
        <Choice id="new-through" label="Through" choices={names} none="(directly)" value={through.value} onChange={choice => { through.value = choice }}/>
      )}
    </Form>
  )
}
