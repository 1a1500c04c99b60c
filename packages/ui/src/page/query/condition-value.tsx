/** The field for the value of a condition, by what it is compared with. */
import { localMoment, momentOf } from '../components/moment.js'
import { equalities, listOperators, type ConditionSubject } from './subjects.js'

interface ValueProps {
  readonly subject: ConditionSubject
  readonly operator: string
  readonly text: string
  readonly onInput: (text: string) => void
}

const units = ['kilometers', 'meters', 'miles', 'feet', 'radians', 'degrees']

export function ConditionValue ({ subject, operator, text, onInput }: ValueProps) {
  const { choices, types } = subject
  if (operator === 'exists') return <Choice values={['true', 'false']} names={['yes', 'no']} text={text} onInput={onInput}/>
  if (operator === 'unit') return <Choice values={units} text={text} onInput={onInput}/>
  if (choices !== undefined && equalities.has(operator)) {
    const names = choices.map(choice => choice === true ? 'yes' : choice === false ? 'no' : String(choice))
    return <Choice values={choices.map(String)} names={names} text={text} onInput={onInput}/>
  }
  if (types.includes('date') && !listOperators.has(operator)) {
    return (
      <input
        type="datetime-local" aria-label="Value" step="1" value={localMoment(text)}
        onInput={({ currentTarget }) => { onInput(momentOf(currentTarget.value) ?? '') }}
      />
    )
  }
  return (
    <input
      type="text" aria-label="Value" autocomplete="off" spellcheck={false} value={text} placeholder={hintOf(subject, operator)}
      inputMode={types.length === 1 && types[0] === 'number' && !listOperators.has(operator) ? 'decimal' : undefined}
      onInput={({ currentTarget }) => { onInput(currentTarget.value) }}
    />
  )
}

function Choice ({ values, names = values, text, onInput }: {
  readonly values: readonly string[], readonly names?: readonly string[]
} & Pick<ValueProps, 'text' | 'onInput'>) {
  return (
    <select aria-label="Value" value={text} onChange={({ currentTarget }) => { onInput(currentTarget.value) }}>
      {!values.includes('') && <option value=""/>}
      {values.map((value, index) => <option key={value} value={value}>{names[index]}</option>)}
    </select>
  )
}

function hintOf ({ choices, types }: ConditionSubject, operator: string): string {
  if (operator === 'between') return 'from, to'
  if (listOperators.has(operator)) {
    return choices === undefined ? 'values, with commas between' : `of ${choices.slice(0, 8).map(String).join(', ')}`
  }
  if (operator === 'near') return 'latitude, longitude'
  if (operator.endsWith('like')) return '% stands for any text'
  return types.join(' or ')
}
