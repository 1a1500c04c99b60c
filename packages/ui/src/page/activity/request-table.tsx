/** The last requests, the newest first. */
import type { Activity, RequestMark, RequestSummary } from '../../contracts/activity.js'
import { Empty } from '../components/empty.js'
import { Icon } from '../components/icon.js'
import type { IconName } from '../components/icon-names.js'
import { Time } from '../components/time.js'
import { addressOf } from '../router.js'
import { durationOf } from './words.js'

export interface Filters {
  readonly slow: string | undefined
  readonly status: string | undefined
  readonly model: string | undefined
}

const marks: Readonly<Record<RequestMark, readonly [icon: IconName, kind: string]>> = {
  slow: ['clock', 'warning'], repeated: ['layers', 'warning'], 'missing index': ['search', 'info'], error: ['circle-alert', 'bad']
}

export function RequestTable ({ requests, activity, filters, current, onFilter }: {
  readonly requests: readonly RequestSummary[]
  readonly activity: Activity
  readonly filters: Filters
  readonly current: string | undefined
  readonly onFilter: (changes: Partial<Filters>) => void
}) {
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  return (
    <section class="requests" aria-label="Last requests">
      <header>
        <h3>Last requests</h3>
        <label class="check">
          <input type="checkbox" checked={filters.slow === 'true'} onChange={({ currentTarget }) => { onFilter({ slow: currentTarget.checked ? 'true' : undefined }) }}/>
          Slow ones (≥ {activity.slow} ms)
        </label>
        <select aria-label="Status" value={filters.status ?? ''} onChange={({ currentTarget }) => { onFilter({ status: currentTarget.value === '' ? undefined : currentTarget.value }) }}>
          <option value="">every status</option>
          {['2', '3', '4', '5'].map(each => <option key={each} value={each}>{each}xx</option>)}
        </select>
        <input
          type="search" aria-label="Model" placeholder="of every model" value={filters.model ?? ''} autocomplete="off" spellcheck={false}
          onChange={({ currentTarget }) => { onFilter({ model: currentTarget.value === '' ? undefined : currentTarget.value }) }}
        />
      </header>
      {requests.length === 0
        ? (
          <Empty icon="activity" title={isFiltered ? 'No request fits' : activity.recording ? 'No requests yet' : 'Requests are not recorded'}>
            <p>{isFiltered ? 'Take a filter away to see more.' : 'Send one, in the API part or from elsewhere: it is listed here.'}</p>
          </Empty>
          )
        : (
          <div class="table-box" tabIndex={0} role="region" aria-label="Requests">
            <table class="rows">
              <thead>
                <tr>
                  <th scope="col">When</th><th scope="col">Request</th><th scope="col">Status</th><th scope="col" class="number">Duration</th>
                  <th scope="col" class="number">Statements</th><th scope="col">Caller</th><th scope="col">To look at</th>
                </tr>
              </thead>
              <tbody>
                {requests.map(request => (
                  <RequestRow
                    key={request.id} request={request} isCurrent={request.id === current}
                    filters={filters} slow={activity.slow}
                  />
                ))}
              </tbody>
            </table>
          </div>
          )}
      <p class="hint">The last {activity.capacity} of this process, without values, headers and bodies.</p>
    </section>
  )
}

function RequestRow ({ request, isCurrent, filters, slow }: {
  readonly request: RequestSummary, readonly isCurrent: boolean, readonly filters: Filters, readonly slow: number
}) {
  const { id, at, method, route, status, duration, operation, caller, statements, marks: found } = request
  return (
    <tr class={isCurrent ? 'current' : ''}>
      <td class="quiet-text"><Time value={new Date(at).toISOString()}/></td>
      <th scope="row">
        <a href={addressOf('activity', [id], { ...filters })} aria-current={isCurrent ? 'true' : undefined}>
          <span class="verb" data-verb={method.toLowerCase()}>{method}</span> {operation ?? <code>{route ?? 'no route'}</code>}
        </a>
      </th>
      <td><span class={`chip ${status === 0 ? '' : status < 400 ? 'good' : status < 500 ? 'warning' : 'bad'}`}>{status === 0 ? 'client left' : status}</span></td>
      <td class={`number ${duration >= slow ? 'late' : ''}`}>{durationOf(duration)}</td>
      <td class="number">{statements}</td>
      <td>{caller === undefined ? <span class="quiet-text">nobody</span> : `${caller.userModel ?? 'User'} ${caller.userId}`}</td>
      <td class="chips">{found.map(mark => <span key={mark} class={`chip ${marks[mark][1]}`}><Icon name={marks[mark][0]}/>{mark}</span>)}</td>
    </tr>
  )
}
