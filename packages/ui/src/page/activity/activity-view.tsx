/** The activity part: what the server does right now, and the last requests with what happened in them. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Activity, Recording, RequestList } from '../../contracts/activity.js'
import { Button } from '../components/button.js'
import { Refused } from '../components/refused.js'
import { Skeleton } from '../components/skeleton.js'
import { useResource } from '../components/use-resource.js'
import { addressOf } from '../router.js'
import { useUi } from '../ui.js'
import type { View } from '../views.js'
import { Charts } from './charts.js'
import { JobsPanel } from './jobs-panel.js'
import { RequestPane } from './request-pane.js'
import { RequestTable } from './request-table.js'
import { Tiles } from './tiles.js'

export const activityView: View = { Main: ActivityPage }

/** Milliseconds between two looks at the server. */
const interval = 2000

function ActivityPage () {
  const { server, router, token, toasts } = useUi()
  const { path: [id], query } = router.route.value
  const filters = {
    slow: query.get('slow') === 'true' ? 'true' : undefined,
    status: query.get('status') ?? undefined,
    model: query.get('model') ?? undefined
  }
  const isFollowing = useSignal(true)
  const read = (): Promise<{ readonly activity: Activity, readonly list: RequestList }> =>
    Promise.all([server.get<Activity>('activity.json'), server.get<RequestList>('activity/requests.json', filters)])
      .then(([activity, list]) => ({ activity, list }))
  const { value, error, reload } = useResource(read, [filters.slow, filters.status, filters.model, token.value])
  useEffect(() => {
    if (!isFollowing.value) return
    const timer = window.setInterval(() => { if (document.visibilityState === 'visible') reload() }, interval)
    return () => { window.clearInterval(timer) }
  }, [isFollowing.value, reload])

  if (error !== undefined && value === undefined) return <Refused error={error} onRetry={reload}/>
  if (value === undefined) return <Skeleton/>
  const { activity, list } = value
  const set = (changes: object): void => { router.replace(addressOf('activity', id === undefined ? [] : [id], { ...filters, ...changes })) }
  const record = (): void => {
    server.post<Recording>(activity.recording ? 'activity/pause' : 'activity/resume').then(reload, (failure: unknown) => { toasts.fail(failure) })
  }
  return (
    <div class={`split ${id === undefined ? '' : 'with-side'}`}>
      <div class="activity">
        <header class="view-head">
          <h2>Activity</h2>
          <Button icon={isFollowing.value ? 'pause' : 'play'} pressed={!isFollowing.value} onClick={() => { isFollowing.value = !isFollowing.value }}>
            {isFollowing.value ? 'Hold still' : 'Follow'}
          </Button>
          <Button icon={activity.recording ? 'square' : 'radio'} onClick={record}>
            {activity.recording ? 'Stop recording' : 'Record requests'}
          </Button>
        </header>
        <div class="view-body">
          <Tiles activity={activity}/>
          <Charts activity={activity}/>
          {activity.jobs && <JobsPanel moment={activity}/>}
          <RequestTable requests={list.requests} activity={activity} filters={filters} current={id} onFilter={set}/>
        </div>
      </div>
      {id !== undefined && (
        <RequestPane key={id} id={id} slow={activity.slow} onClose={() => { router.go(addressOf('activity', [], filters)) }}/>
      )}
    </div>
  )
}
