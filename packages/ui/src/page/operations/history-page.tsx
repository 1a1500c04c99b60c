/** The requests of this tab, the latest first: each leads back to its operation, with its fields as they were. */
import { Empty } from '../components/empty.js'
import { Time } from '../components/time.js'
import { useUi } from '../ui.js'
import { operationAddress } from './addresses.js'
import { apiStateOf, type Sent } from './state.js'

export function HistoryPage () {
  const ui = useUi()
  const state = apiStateOf(ui)
  const { history } = state
  const open = ({ action, fields, body }: Sent): void => {
    const of = state.of(action)
    of.fields.value = fields
    of.body.value = body
    ui.router.go(operationAddress(action))
  }
  return (
    <>
      <header class="view-head"><h2>History</h2></header>
      <div class="view-body">
        {history.value.length === 0
          ? <Empty icon="history" title="No request was sent yet"><p>Those of this tab are listed here until it is closed.</p></Empty>
          : (
            <ul class="history-list">
              {history.value.map(sent => (
                <li key={sent.id}>
                  <a href={operationAddress(sent.action)} onClick={event => { event.preventDefault(); open(sent) }}>
                    {sent.line}
                  </a>
                  <span class={`chip ${Number(sent.status) < 400 ? 'good' : 'bad'}`}>{sent.status}</span>
                  <span class="quiet-text">{sent.milliseconds} ms, <Time value={sent.at.toISOString()}/></span>
                </li>
              ))}
            </ul>
            )}
      </div>
    </>
  )
}
