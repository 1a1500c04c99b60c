/** Mail that jobs send. */
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { auth, mailConnector } from '@fastback/auth'
import core from '@fastback/core'
import { backgroundJobsIn } from '@fastback/core/remote'
import { sqlConnector } from '@fastback/connector-sql'
import { events, type EventsOptions } from '@fastback/events'
import { until } from './engines/suite.js'

type Loose = any

const mail = { to: 'ann@example.com', from: 'shop@example.com', subject: 'Hello', text: 'Your order is on its way.' }

interface Sending { readonly app: FastifyInstance, readonly sent: Loose[] }

async function application (t: Test, options: EventsOptions | undefined): Promise<Sending> {
  const sent: Loose[] = []
  let failures = 1
  const connector = (settings: Loose, context: Loose): Loose => Object.assign(mailConnector(settings, context), {
    async send (message: Loose) {
      if (message.subject === 'Hello' && failures-- > 0) throw new Error('421 try again')
      sent.push(message)
      return { accepted: [message.to] }
    }
  })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, {
    dataSources: {
      db: { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'reset' }, post: { connector: connector as never }
    }
  })
  await app.register(auth, { dataSource: 'db', rateLimit: false })
  app.registry.attach('Email', 'post', { public: false })
  if (options !== undefined) await app.register(events, { pollInterval: 20, ...options })
  await app.ready()
  return { app, sent }
}

t.test('without jobs mail is sent at once, as before', async t => {
  const { app, sent } = await application(t, undefined)
  const { Email } = app.models as Loose
  await t.rejects(Email.send(mail), { message: '421 try again' })
  t.strictSame(await Email.send(mail), { accepted: [mail.to] })
  t.strictSame(sent, [mail])
  await t.rejects(Email.send({ ...mail, queue: true }), { code: 'FBK_AUTH_MAIL_QUEUE' })
})

t.test('a message may ask for a job', async t => {
  const { app, sent } = await application(t, {})
  const { Email } = app.models as Loose
  await t.rejects(Email.send(mail), { message: '421 try again' }, 'one that does not is sent at once')
  const content = Buffer.from([0, 255, 1])
  const attachments = [{ filename: 'a.bin', content }, { filename: 'b.txt', content: 'b' }]
  const queued = await Email.send({ ...mail, queue: true, attachments })
  t.match(queued, { queued: true, id: String })
  await until('sent', () => sent.length === 1)
  t.strictSame(sent, [{
    ...mail, attachments: [{ filename: 'a.bin', content: 'AP8B', encoding: 'base64' }, { filename: 'b.txt', content: 'b' }]
  }])
  const stream = Readable.from(['x'])
  await t.rejects(Email.send({ ...mail, queue: true, attachments: [{ content: stream }] }), { code: 'FBK_AUTH_MAIL_QUEUE' })
})

t.test('with "deliver" all mail goes by jobs, in the transaction of the write', async t => {
  const { app, sent } = await application(t, { deliver: ['mail'] })
  const { Email, User } = app.models as Loose
  for (const isCommitted of [false, true]) {
    const transaction = await User.beginTransaction()
    await Email.send({ ...mail, subject: isCommitted ? 'committed' : 'rolled back' }, { transaction })
    if (isCommitted) await transaction.commit()
    else await transaction.rollback()
  }
  await until('sent', () => sent.length === 1)
  t.equal(sent[0].subject, 'committed')
  const stream = Readable.from(['x'])
  await Email.send({ ...mail, subject: 'stream', attachments: [{ content: stream }] })
  t.equal(sent[1].attachments[0].content, stream, 'what no job can carry is sent at once')
  await Email.send({ ...mail, subject: 'now', queue: false })
  t.equal(sent[2].subject, 'now')
  await Email.send({ ...mail, text: 'https://shop.example/reset?token=verysecret' })
  const jobs = backgroundJobsIn(app.registry).by
  await until('it waits for its next attempt', async () => (await jobs?.queues())?.[0]?.delayed === 1)
  const rows = await (app.models as Loose).FastbackJob.find({ where: { state: 'completed' } })
  t.strictSame(rows, [], 'nothing is stored of mail that was sent')
})

t.test('nobody reads mail that failed', async t => {
  const { app } = await application(t, { deliver: ['mail'] })
  const { Email, FastbackJob } = app.models as Loose
  await Email.send(mail)
  const jobs = backgroundJobsIn(app.registry).by
  await until('it failed once', async () => (await jobs?.queues())?.[0]?.delayed === 1)
  await FastbackJob.updateAll({}, { state: 'failed', ended: new Date(), reason: '421' })
  const [failed] = await jobs?.failed('fastback.mail', 10) ?? []
  t.match(failed, { reason: '421' })
  t.equal(failed?.data, undefined)
})
