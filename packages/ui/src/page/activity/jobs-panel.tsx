/** Background jobs: the queues, when the next job of a schedule is due, and jobs that failed for good. */
import { useSignal } from '@preact/signals'
import type { JobActivity, JobQueueActivity } from '../../contracts/activity.js'
import { Button } from '../components/button.js'
import { Empty } from '../components/empty.js'
import { Notice } from '../components/notice.js'
import { Time } from '../components/time.js'
import { useResource } from '../components/use-resource.js'
import { useUi } from '../ui.js'
import { FailedJobList } from './failed-jobs.js'

/** @param moment what was read of the server last: queues are read again with it */
export function JobsPanel ({ moment }: { readonly moment: unknown }) {
  const { server } = useUi()
  const opened = useSignal<string | undefined>(undefined)
  const { value, error, reload } = useResource(() => server.get<JobActivity>('activity/jobs.json'), [moment])
  if (error !== undefined) return <Notice kind="bad">Jobs: {error.message}</Notice>
  if (value === undefined) return null
  const { queues } = value
  const current = queues.find(({ name }) => name === opened.value)
  return (
    <section class="jobs" aria-label="Jobs">
      <h3>Jobs</h3>
      {queues.length === 0
        ? <Empty icon="workflow" title="No jobs are defined"><p>Define one by <code>registry.job</code>.</p></Empty>
        : (
          <div class="table-box" tabIndex={0} role="region" aria-label="Queues">
            <table class="rows">
              <thead>
                <tr>
                  <th scope="col">Queue</th><th scope="col" class="number">Waiting</th><th scope="col" class="number">Delayed</th>
                  <th scope="col" class="number">Running</th><th scope="col" class="number">Completed</th>
                  <th scope="col" class="number">Failed</th><th scope="col">Next run</th>
                </tr>
              </thead>
              <tbody>
                {queues.map(queue => (
                  <QueueRow
                    key={queue.name} queue={queue} isOpen={queue.name === opened.value}
                    onOpen={() => { opened.value = queue.name === opened.value ? undefined : queue.name }}
                  />
                ))}
              </tbody>
            </table>
          </div>
          )}
      {current !== undefined && <FailedJobList queue={current.name} count={current.failed} onChange={reload}/>}
    </section>
  )
}

function QueueRow ({ queue, isOpen, onOpen }: {
  readonly queue: JobQueueActivity, readonly isOpen: boolean, readonly onOpen: () => void
}) {
  const { name, waiting, delayed, active, completed, failed, schedule } = queue
  return (
    <tr class={isOpen ? 'current' : ''}>
      <th scope="row">{name}</th>
      <td class="number">{waiting}</td>
      <td class="number">{delayed}</td>
      <td class="number">{active}</td>
      <td class="number">{completed}</td>
      <td class="number">
        {failed === 0 && !isOpen
          ? 0
          : <Button kind="quiet" expanded={isOpen} title={`Jobs of ${name} that failed`} onClick={onOpen}>{failed} failed</Button>}
      </td>
      <td>
        {schedule === undefined
          ? <span class="quiet-text">when it is sent</span>
          : (
            <>
              {schedule.next !== undefined && <Time value={new Date(schedule.next).toISOString()}/>}
              {' '}<code title={schedule.timeZone}>{schedule.cron}</code>
            </>
            )}
      </td>
    </tr>
  )
}
