/** Properties that an application adds to changes (SY-06). */
import type { MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { instantiate } from '@fastback/core/remote'
import type { ChangeLog } from './change-log.js'
import type { ChangeRow } from './change.js'

type Fill = (change: Row, callback: (error?: unknown) => void) => unknown

/** What `Model.prototype.fillCustomChangeProperties` of the application sets on a change of this row. */
export function fillCustomProperties (
  { Model, Change }: ChangeLog, row: Readonly<Row>, change: ChangeRow
): MaybePromise<Row> {
  const names = Object.keys(Model.settings.additionalChangeModelProperties ?? {})
  if (names.length === 0) return {}
  const instance = instantiate(Model.compiled, { ...row }) as unknown as Row & { fillCustomChangeProperties: Fill }
  const filled = instantiate(Change.compiled, { ...change }) as unknown as Row
  const own = (): Row => Object.fromEntries(names.map(name => [name, filled[name]]))
  return chain(called(done => instance.fillCustomChangeProperties(filled, done)), own)
}

/** Code of applications may call back at once, later, or give a promise. */
function called (run: (done: (error?: unknown) => void) => unknown): MaybePromise<void> {
  const call: { ended: boolean, error: unknown, wake: () => void } = { ended: false, error: undefined, wake () {} }
  const result = run(error => {
    Object.assign(call, { ended: true, error })
    call.wake()
  })
  const over = (): void => { if (call.error) throw call.error as Error }
  if (call.ended) return over()
  if (result instanceof Promise) return result.then(over)
  return new Promise<void>(resolve => { call.wake = resolve }).then(over)
}
