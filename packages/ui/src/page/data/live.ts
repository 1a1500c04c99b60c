/** The change stream of a model, read while somebody looks. */
import type { Api } from '../api/client.js'
import type { Where } from '../query/subjects.js'
import type { DataModel } from './models/models.js'
import type { Row } from './models/properties.js'

export interface Change {
  readonly type: 'create' | 'update' | 'remove'
  readonly target: unknown
  readonly data?: Row
}

export interface Watcher {
  changed (change: Change): void
  /** Changes may have been missed: read again. */
  missed (): void
  /** What to say of the stream. */
  state (text: string): void
}

/** Milliseconds before a stream that broke off is opened again. */
const pause = 3000

/**
 * Reads the stream until the signal ends it. It stands still while the tab is hidden.
 * @param where what the rows must be like: a row that is so no more is removed
 */
export function watch (
  model: DataModel, api: Api, where: Where | undefined, watcher: Watcher, signal: AbortSignal
): void {
  let current: AbortController | undefined
  let hadOne = false
  let timer = 0
  const start = (): void => {
    window.clearTimeout(timer)
    if (signal.aborted || document.hidden || current !== undefined) return
    const own = current = new AbortController()
    readOnce(own.signal).then(
      goesOn => {
        if (current === own) current = undefined
        if (goesOn && !own.signal.aborted) timer = window.setTimeout(start, pause)
      },
      (error: unknown) => {
        if (current === own) current = undefined
        if (own.signal.aborted) return
        watcher.state(`Changes of others are not shown: ${error instanceof Error ? error.message : String(error)}`)
        const isForGood = (error as { isForbidden?: boolean }).isForbidden === true
        if (!isForGood) timer = window.setTimeout(start, pause)
      }
    )
  }
  const stop = (): void => {
    window.clearTimeout(timer)
    current?.abort()
    current = undefined
  }
  const follow = (): void => {
    if (document.hidden) {
      stop()
      watcher.state('Paused')
    } else start()
  }
  document.addEventListener('visibilitychange', follow)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', follow)
    stop()
  })
  start()

  /** False where the stream must not be opened again. */
  async function readOnce (ended: AbortSignal): Promise<boolean> {
    const { stream } = model
    if (!api.may(stream)) {
      watcher.state('')
      return false
    }
    const query = where === undefined ? {} : { options: { where } }
    const response = await api.open(stream, { query }, 'text/event-stream', ended)
    watcher.state('Live')
    if (hadOne) watcher.missed()
    hadOne = true
    const decoder = new TextDecoder()
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) tell(event, watcher)
    }
    watcher.state('Changes of others are not shown: the stream has ended')
    return true
  }
}

function tell (text: string, watcher: Watcher): void {
  const event = /^event: (.*)$/m.exec(text)?.[1]
  if (event === 'gap') watcher.missed()
  if (event !== 'data') return
  const data = text.split('\n').filter(line => line.startsWith('data: ')).map(line => line.slice(6)).join('\n')
  watcher.changed(JSON.parse(data) as Change)
}
