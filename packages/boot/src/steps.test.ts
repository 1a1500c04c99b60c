import t from 'tap'
import { perform, settled } from './steps.js'

t.test('what is thenable is waited for, also where its `then` gives nothing', async t => {
  const thenable = {
    then (done: (value: unknown) => void) { setImmediate(done, 3) }
  } as unknown as PromiseLike<unknown>
  const result = perform((function * () { return (yield * settled(thenable)) as number + 1 })())
  t.equal(await result, 4)
  const refusing = {
    then (_done: unknown, fail: (error: Error) => void) { fail(new Error('no')) }
  } as unknown as PromiseLike<unknown>
  await t.rejects(async () => await perform((function * () { yield * settled(refusing) })()), /no/)
})
