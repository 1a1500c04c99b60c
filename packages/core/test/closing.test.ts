import { setTimeout as sleep } from 'node:timers/promises'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import t from 'tap'
import { core } from '@fastback/core'

t.test('a server closes though an answer ends after its client has all of it', async t => {
  const app = Fastify()
  let release = (): void => {}
  const held = new Promise<void>(resolve => { release = resolve })
  await app.register(core, {})
  app.get('/file', (_request, reply) => {
    reply.header('content-length', 5)
    return reply.send(Readable.from((async function * () {
      yield 'whole'
      await held
    })()))
  })
  const address = await app.listen({ port: 0 })
  const answer = await fetch(`${address}/file`)
  t.equal(await answer.text(), 'whole')

  const closed = app.close().then(() => 'closed')
  await sleep(50)
  release()
  // The keep-alive time is 72 s.
  t.equal(await Promise.race([closed, sleep(20_000, 'still open', { ref: false })]), 'closed')
})
