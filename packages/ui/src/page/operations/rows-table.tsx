/** Rows as a table, each with what the operations of its model do with it: their fields are filled in, not yet sent. */
import type { Action, ApiDescription } from '../api/description.js'
import { Button } from '../components/button.js'
import { useUi, type Ui } from '../ui.js'
import { operationAddress } from './addresses.js'
import { apiStateOf, keyOf } from './state.js'

type Row = Readonly<Record<string, unknown>>

/** Rows and columns that are shown as a table. */
const most = 200
const mostColumns = 60

/** The rows of a response; undefined where it is not a list of objects, or an empty one. */
export function rowsOf (value: unknown): Row[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 &&
    value.every(each => each !== null && typeof each === 'object' && !Array.isArray(each))
  return isList ? value as Row[] : undefined
}

export function RowsTable ({ rows, action }: { readonly rows: readonly Row[], readonly action: Action }) {
  const ui = useUi()
  const shown = rows.slice(0, most)
  const all = [...new Set(shown.flatMap(row => Object.keys(row)))]
  const names = all.slice(0, mostColumns)
  const actions = rowActions(action, ui)
  const left = [
    rows.length > most ? `${rows.length - most} more rows` : '', all.length > mostColumns ? `${all.length - mostColumns} more columns` : ''
  ].filter(text => text !== '')
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Rows">
      <table class="rows">
        <thead><tr>{names.map(name => <th key={name} scope="col">{name}</th>)}{actions.length > 0 && <td/>}</tr></thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={index}>
              {names.map(name => <td key={name}>{textOf(row[name])}</td>)}
              {actions.length > 0 && (
                <td class="response-row-actions">
                  {actions.map(({ name, run }) => (
                    <Button key={name} kind="quiet" onClick={() => { run(row) }}>
                      {name}<span class="sr-only"> row {index + 1}</span>
                    </Button>
                  ))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {left.length > 0 && <p class="hint">{left.join(', ')}: see JSON</p>}
    </div>
  )
}

function textOf (value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)} …` : text
}

const methods = [['Open', 'findById'], ['Edit', 'prototype.patchAttributes'], ['Delete', 'deleteById']] as const

/** For responses with rows of the operation's own model. */
function rowActions (action: Action, ui: Ui): Array<{ readonly name: string, run (row: Row): void }> {
  const { description } = ui
  const [model = ''] = action.tags
  if (description.typeName(successSchema(action, description)).replace(/Row\[\]$/, '[]') !== `${model}[]`) return []
  return methods.flatMap(([name, method]) => {
    const target = description.actions.find(({ operationId }) => operationId === `${model}.${method}`)
    const key = target?.parameters?.find(({ in: position }) => position === 'path')
    if (target === undefined || key === undefined) return []
    return [{
      name,
      run (row: Row) {
        const state = apiStateOf(ui).of(target)
        const { [key.name]: id, ...rest } = row
        state.setField(keyOf(key), String(id))
        if (target.requestBody !== undefined) state.body.value = JSON.stringify(rest, null, 2)
        ui.router.go(operationAddress(target))
      }
    }]
  })
}

const successSchema = (action: Action, description: ApiDescription) =>
  Object.entries(action.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => description.response(response).content?.['application/json']?.schema)[0]
