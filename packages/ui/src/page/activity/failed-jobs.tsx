/** Jobs of a queue that are not tried again, to be sent once more or to be discarded. */
import { useSignal } from '@preact/signals'
import type { FailedJobActivity, FailedJobs, JobChanged } from '../../contracts/activity.js'
import { Button } from '../components/button.js'
import { Notice } from '../components/notice.js'
import { Time } from '../components/time.js'
import { useResource } from '../components/use-resource.js'
import { useUi } from '../ui.js'

/**
 * @param count how many there are: they are read again when there are more
 * @param onChange one is not among them any more
 */
export function FailedJobList ({ queue, count, onChange }: {
  readonly queue: string, readonly count: number, readonly onChange: () => void
}) {
  const { server, toasts } = useUi()
  const path = `activity/jobs/${encodeURIComponent(queue)}`
  const { value, error, reload } = useResource(() => server.get<FailedJobs>(`${path}/failed.json`), [path, count])
  const change = (id: string, verb: 'retry' | 'discard'): void => {
    server.post<JobChanged>(`${path}/${encodeURIComponent(id)}/${verb}`).then(
      () => { reload(); onChange() }, (failure: unknown) => { toasts.fail(failure) })
  }
  if (error !== undefined) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return null
  return (
    <section class="failed-jobs" aria-label={`Failed jobs of ${queue}`}>
      <h4>Failed jobs of {queue}</h4>
      {value.jobs.length === 0
        ? <p class="quiet-text">None.</p>
        : (
          <ul>
            {value.jobs.map(job => (
              <FailedJob
                key={job.id} job={job}
                onRetry={() => { change(job.id, 'retry') }} onDiscard={() => { change(job.id, 'discard') }}
              />
            ))}
          </ul>
          )}
      {count > value.jobs.length && <p class="hint">The newest {value.jobs.length} of {count}.</p>}
    </section>
  )
}

function FailedJob ({ job: { id, at, attempts, reason, data }, onRetry, onDiscard }: {
  readonly job: FailedJobActivity, readonly onRetry: () => void, readonly onDiscard: () => void
}) {
  const isSure = useSignal(false)
  return (
    <li>
      <p class="failed-reason">{reason}</p>
      <p class="quiet-text"><Time value={new Date(at).toISOString()}/>, after {attempts} {attempts === 1 ? 'attempt' : 'attempts'}</p>
      {data !== undefined &&
        <pre class="code" tabIndex={0} role="region" aria-label={`Data of job ${id}`}>{data}</pre>}
      <div class="failed-actions">
        <Button icon="rotate-ccw" onClick={onRetry}>Retry</Button>
        {isSure.value
          ? <Button kind="danger" icon="trash-2" onClick={onDiscard}>Discard for good</Button>
          : <Button kind="quiet" icon="trash-2" onClick={() => { isSure.value = true }}>Discard</Button>}
      </div>
    </li>
  )
}
