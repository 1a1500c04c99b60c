/** Streams that say when there is something to pull; one tab listens for all. */
import { isCode } from '../errors.js'
import type { Timing } from './background.js'
import type { SyncedModel, Wire } from './push.js'
import { cursorKey, meta, type Cursor } from './records.js'
import { backOff, pause } from './timers.js'

/** Streams at once: browsers have six connections to a server without HTTP/2, and pulls need some. */
const mostStreams = 3

/** Listens until the signal ends it; where that does not go, polling remains. */
export function listen (
  wire: Wire, models: readonly SyncedModel[], { retry }: Timing, signal: AbortSignal, ping: () => void
): void {
  const { tabs } = wire.local
  tabs.lead(signal, async () => {
    await Promise.all(models.slice(0, mostStreams).map(async model => {
      for (let failures = 0; !signal.aborted;) {
        try {
          await follow(wire, model, signal, ping)
          failures = 0
        } catch (error) {
          if (isCode(error, 'CLOSED', 'CLIENT_OUTDATED')) return
          failures++
        }
        await pause(backOff(retry, failures), signal)
      }
    }))
  }).catch(() => {})
}

async function follow (
  wire: Wire, { name, path, filter }: SyncedModel, signal: AbortSignal, ping: () => void
): Promise<void> {
  const { local, transport, version } = wire
  const cursor = await local.get<Cursor>(meta, cursorKey(name))
  await transport.live(path, { after: cursor?.after, filter, version }, signal, ping)
}
