/** The conditions of a list, made anew or changed; and those that hold, each of which can be taken away. */
import { useMemo, useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/button.js'
import { ConditionBuilder } from '../../query/condition-builder.js'
import { conditionWords } from '../../query/condition-words.js'
import { conditionsOf, groupOf, newTest, noConditions, whereOf, withPart, type Group } from '../../query/conditions.js'
import { subjectsOf } from '../../query/subjects.js'
import { useData } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import type { ListState } from './list-state.js'

export function FilterPanel ({ model, state, go, close }: {
  readonly model: DataModel
  readonly state: ListState
  readonly go: (state: ListState) => void
  readonly close: () => void
}) {
  const { description } = useData()
  const subjects = useMemo(() => subjectsOf(model.where, description, model.name), [model])
  const [group, setGroup] = useState<Group>(() => state.where.length === 0
    ? withPart(noConditions, 0, id => newTest(id, subjects))
    : groupOf(state.where, subjects))
  const apply = (): void => {
    const whole = whereOf(group, subjects)
    const where = group.by === 'and' ? conditionsOf(group, subjects) : whole === undefined ? [] : [whole]
    go({ ...state, where, skip: 0 })
    close()
  }
  return (
    <form
      class="panel"
      onSubmit={event => {
        event.preventDefault()
        apply()
      }}
    >
      <ConditionBuilder subjects={subjects} value={group} onChange={setGroup}/>
      <div class="buttons end">
        <Button kind="quiet" onClick={() => { go({ ...state, where: [], skip: 0 }); close() }}>Show all rows</Button>
        <Button kind="primary" type="submit">Apply</Button>
      </div>
    </form>
  )
}

export function FilterChips ({ state, go }: { readonly state: ListState, readonly go: (state: ListState) => void }) {
  if (state.where.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {state.where.map((where, index) => {
        const text = conditionWords(where)
        return (
          <li class="chip accent" key={index}>
            <span>{text}</span>
            <IconButton
              label={`Without: ${text}`} icon="x"
              onClick={() => { go({ ...state, where: state.where.filter((_, other) => other !== index), skip: 0 }) }}
            />
          </li>
        )
      })}
    </ul>
  )
}
