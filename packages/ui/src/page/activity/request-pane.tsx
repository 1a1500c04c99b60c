/** One request: what happened in it, in its order, and what would make it faster. */
import { useSignal } from '@preact/signals'
import type { Hint, RequestDetail } from '../../contracts/activity.js'
import { Button } from '../components/button.js'
import { CopyButton } from '../components/copy-button.js'
import { Notice } from '../components/notice.js'
import { Refused } from '../components/refused.js'
import { SidePane } from '../components/side-pane.js'
import { Skeleton } from '../components/skeleton.js'
import { useResource } from '../components/use-resource.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import { SpanList } from './span-list.js'
import { durationOf } from './words.js'

export function RequestPane ({ id, slow, onClose }: {
  readonly id: string
  readonly slow: number
  readonly onClose: () => void
}) {
  const { server } = useUi()
  const withPlan = useSignal(false)
  const { value: detail, error, reload } = useResource(
    () => server.get<RequestDetail>(`activity/requests/${encodeURIComponent(id)}.json`, { plan: withPlan.value ? 'true' : undefined }), [id, withPlan.value])
  const title = detail === undefined ? 'Request' : `${detail.method} ${detail.operation ?? detail.route ?? ''}`
  return (
    <SidePane title={title} onClose={onClose}>
      {error !== undefined
        ? <Refused error={error} onRetry={reload}/>
        : detail === undefined
          ? <Skeleton/>
          : (
            <Detail
              detail={detail} slow={slow} withPlan={withPlan.value}
              onPlan={() => { withPlan.value = true }}
            />
            )}
    </SidePane>
  )
}

function Detail ({ detail, slow, withPlan, onPlan }: {
  readonly detail: RequestDetail, readonly slow: number, readonly withPlan: boolean, readonly onPlan: () => void
}) {
  const { at, status, duration, route, caller, bytes, spans, left, hints, plans } = detail
  const hasSelect = spans.some(({ kind, operation }) => kind === 'query' && operation === 'SELECT')
  return (
    <div class="request-detail">
      <dl class="api-facts">
        <dt>When</dt><dd>{new Date(at).toLocaleTimeString()}</dd>
        <dt>Status</dt><dd>{status === 0 ? 'the client went away' : status}</dd>
        <dt>Duration</dt><dd class={duration >= slow ? 'late' : ''}>{durationOf(duration)}</dd>
        {route !== undefined && <><dt>Route</dt><dd><code>{route}</code></dd></>}
        <dt>Caller</dt><dd>{caller === undefined ? 'nobody is logged in' : `${caller.userModel ?? 'User'} ${caller.userId}`}</dd>
        {bytes !== undefined && <><dt>Body</dt><dd>{bytes.toLocaleString('en')} bytes</dd></>}
      </dl>
      {hints.map(hint => <HintView key={hint.text} hint={hint}/>)}
      <h3>What happened</h3>
      {spans.length === 0
        ? <p class="quiet-text">No rule, hook, method or statement: the server had it at hand.</p>
        : <SpanList spans={spans} duration={duration} noted={new Set(hints.flatMap(hint => hint.spans))}/>}
      {left > 0 && <p class="hint">and {left} more</p>}
      {hasSelect && !withPlan && <Button icon="search" onClick={onPlan}>How would the database find the rows?</Button>}
      {plans?.map(({ dataSource, text, plan, rowsRead, note }) => (
        <section key={dataSource + text} aria-label="Plan" class="plan">
          <h4>Plan in {dataSource}{rowsRead === undefined ? '' : `, ${rowsRead} rows read`}</h4>
          <pre class="code" tabIndex={0} role="region" aria-label={text}>{plan.length === 0 ? note ?? 'The store tells no plan.' : plan.join('\n')}</pre>
        </section>
      ))}
    </div>
  )
}

function HintView ({ hint: { mark, text, definition, model } }: { readonly hint: Hint }) {
  const { config } = useUi()
  return (
    <Notice kind={mark === 'error' ? 'bad' : 'warning'}>
      <p>{text}</p>
      {definition !== undefined && (
        <>
          <pre class="code">{definition}</pre>
          <p class="buttons">
            <CopyButton text={() => definition}/>
            {model !== undefined && config.views.includes('models') && <a class="button" href={addressOf('models', [model, 'indexes'])}>To the model {model}</a>}
          </p>
        </>
      )}
    </Notice>
  )
}
