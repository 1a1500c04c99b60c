/** Fields that make conditions: for each a property, an operator that fits it, a value; groups; related rows. */
import { useEffect, useRef } from 'preact/hooks'
import { Button, IconButton } from '../components/button.js'
import { ConditionValue } from './condition-value.js'
import { operatorWords } from './condition-words.js'
import { changed, newTest, withPart, type Group, type Part, type Subjects, type Test } from './conditions.js'

interface Change {
  readonly subjects: Subjects
  readonly root: Group
  readonly onChange: (root: Group) => void
}

/**
 * The builder of conditions: `value` is what was made so far, `whereOf(value, subjects)` the condition.
 *
 * ```js
 * const subjects = subjectsOf({ $ref: '#/components/schemas/NoteWhere' }, description, 'Note')
 * <ConditionBuilder subjects={subjects} value={group} onChange={setGroup}/>
 * ```
 * @param about what the conditions are on, where there are several builders: a relation
 */
export function ConditionBuilder ({ subjects, value, onChange, about }: {
  readonly subjects: Subjects
  readonly value: Group
  readonly onChange: (value: Group) => void
  readonly about?: string
}) {
  return (
    <div class="conditions" role="group" aria-label={about === undefined ? 'Conditions' : `Conditions on ${about}`}>
      <GroupFields group={value} about={about} change={{ subjects, root: value, onChange }}/>
    </div>
  )
}

function GroupFields ({ group, about, change }: {
  readonly group: Group, readonly about?: string | undefined, readonly change: Change
}) {
  const { subjects, root, onChange } = change
  const isRoot = group.id === root.id
  const parts = useRef<HTMLDivElement>(null)
  const count = useRef(group.parts.length)
  useEffect(() => {
    // The focus is where somebody goes on: at the new condition, or where there is one more to add.
    if (group.parts.length > count.current) [...parts.current?.querySelectorAll('select') ?? []].at(-3)?.focus()
    count.current = group.parts.length
  }, [group.parts.length])
  const add = (made: (id: number) => Part): void => { onChange(withPart(root, group.id, made)) }
  return (
    <div class={isRoot ? 'condition-group root' : 'condition-group'}>
      {(group.parts.length > 1 || !isRoot) && (
        <div class="condition-by">
          <select
            aria-label="How the conditions hold together" value={group.by}
            onChange={({ currentTarget }) => {
              const by = currentTarget.value === 'or' ? 'or' : 'and'
              onChange(changed(root, group.id, part => ({ ...part as Group, by })))
            }}
          >
            <option value="and">All of these</option>
            <option value="or">One of these</option>
          </select>
          {!isRoot && (
            <IconButton
              label="Remove the group" icon="x" onClick={() => { onChange(changed(root, group.id, () => undefined)) }}
            />
          )}
        </div>
      )}
      <div class="condition-parts" ref={parts}>
        {group.parts.map(part => <PartFields key={part.id} part={part} change={change}/>)}
      </div>
      <div class="buttons">
        <Button kind="quiet" icon="plus" onClick={() => { add(id => newTest(id, subjects)) }}>
          {about === undefined ? 'Add a condition' : `Add a condition on ${about}`}
        </Button>
        {isRoot && (
          <Button
            kind="quiet" icon="layers"
            onClick={() => { add(id => ({ kind: 'group', id, by: group.by === 'and' ? 'or' : 'and', parts: [newTest(id + 1, subjects)] })) }}
          >
            Add a group
          </Button>
        )}
      </div>
    </div>
  )
}

function PartFields ({ part, change }: { readonly part: Part, readonly change: Change }) {
  const { root, onChange } = change
  if (part.kind === 'group') return <GroupFields group={part} change={change}/>
  const remove = (
    <IconButton
      label="Remove the condition" icon="x" onClick={() => { onChange(changed(root, part.id, () => undefined)) }}
    />
  )
  return part.kind === 'written'
    ? <div class="condition"><code>{JSON.stringify(part.where).slice(0, 300)}</code>{remove}</div>
    : <div class="condition"><TestFields test={part} change={change}/>{remove}</div>
}

function TestFields ({ test, change: { subjects, root, onChange } }: { readonly test: Test, readonly change: Change }) {
  const subject = subjects.find(({ label }) => label === test.subject)
  const set = (values: Partial<Test>): void => { onChange(changed(root, test.id, () => ({ ...test, ...values }))) }
  return (
    <>
      <select
        aria-label="Property" value={test.subject}
        onChange={({ currentTarget }) => {
          const next = subjects.find(({ label }) => label === currentTarget.value)
          const isSame = next?.operators.includes(test.operator) === true
          set({ subject: currentTarget.value, text: '', ...isSame ? {} : { operator: next?.operators[0] ?? '' } })
        }}
      >
        {subjects.map(({ label }) => <option key={label} value={label}>{label}</option>)}
      </select>
      <select
        aria-label="Operator" value={test.operator}
        onChange={({ currentTarget }) => { set({ operator: currentTarget.value, ...currentTarget.value === 'exists' ? { text: 'true' } : {} }) }}
      >
        {subject?.operators.map(name => <option key={name} value={name}>{operatorWords(name)}</option>)}
      </select>
      {subject !== undefined && (
        <ConditionValue
          subject={subject} operator={test.operator} text={test.text} onInput={text => { set({ text }) }}
        />
      )}
    </>
  )
}
