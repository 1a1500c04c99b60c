/** Change streams under rules about rows and properties: what comes, what goes, and what is not shown. */
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { makeApp, row, type App } from './app.js'

type Loose = any

interface Heard {
  /** Types and targets, in order; `gap` for those. */
  readonly events: () => string[]
  readonly text: () => string
  until: (what: string) => Promise<void>
}

/** Opens the stream of somebody. */
async function listen (t: Test, app: App, who: string): Promise<Heard> {
  if (app.server.address() === null) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  let text = ''
  let begun = (): void => {}
  const beginning = new Promise<void>(resolve => { begun = resolve })
  const request = get(
    {
      port, path: '/api/Notes/change-stream', agent: false,
      headers: { authorization: app.tokens[who] as string, accept: 'text/event-stream' }
    },
    response => {
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk as string
        begun()
      }).on('error', () => {})
    })
  t.teardown(() => request.destroy())
  await beginning
  const events = (): string[] => text.split('\n\n').flatMap(event => {
    if (event.startsWith('event: gap')) return ['gap']
    const json = /^data: (.*)$/m.exec(event)?.[1]
    if (json === undefined) return []
    const { type, target } = JSON.parse(json) as { type: string, target: unknown }
    return [`${type} ${String(target)}`]
  })
  return {
    events,
    text: () => text,
    until: async what => {
      for (let tries = 0; tries < 400 && !events().includes(what); tries++) {
        await new Promise(resolve => setTimeout(resolve, 10))
      }
    }
  }
}

const properties = { text: 'string', ownerId: 'number', teamId: 'number', salary: 'number' }
const own = row('ALLOW', '$authenticated', { rows: { ownerId: '$user.id' }, fields: { read: ['*', '-salary'] } })

t.test('a row that comes is created, one that goes is removed, and fields that may not be read are left out', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Note', properties, acls: [row('DENY', '$everyone'), own] }]
  })
  const { Note } = app.models
  await Note.create([{ text: 'a', ownerId: 1, salary: 4711 }, { text: 'b', ownerId: 2, salary: 4711 }])
  const ann = await listen(t, app, 'ann')
  await Note.updateAll({ id: 1 }, { text: 'within' })
  await Note.updateAll({ id: 2 }, { text: 'of ben still' })
  await Note.updateAll({ id: 2 }, { ownerId: 1 })
  await Note.updateAll({ id: 1 }, { ownerId: 2, text: 'now of ben' })
  await (await Note.findById(1)).updateAttributes({ text: 'no more' })
  await Note.deleteById(1)
  await Note.deleteById(2)
  await ann.until('remove 2')
  t.same(ann.events(), ['update 1', 'create 2', 'remove 1', 'remove 2'])
  t.notMatch(ann.text(), /4711|salary|now of ben|no more/)
})

t.test('rows of owners count the same way', async t => {
  const app = await makeApp(t, {
    definitions: [{
      name: 'Note',
      properties: { ...properties, userId: 'number' },
      acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated', { rows: 'own' })]
    }]
  })
  const { Note } = app.models
  await Note.create([{ text: 'a', userId: 1 }, { text: 'b', userId: 2 }])
  const ann = await listen(t, app, 'ann')
  await Note.updateAll({ id: 1 }, { userId: 2 })
  await Note.updateAll({ id: 2 }, { userId: 1 })
  await Note.updateAll({ id: 1 }, { text: 'of ben' })
  await Note.deleteById(2)
  await ann.until('remove 2')
  t.same(ann.events(), ['remove 1', 'create 2', 'remove 2'])
})

const teams: Loose[] = [
  {
    name: 'Note',
    properties,
    relations: { team: { type: 'belongsTo', model: 'Team' } },
    acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated', { rows: { 'team.members': { some: { userId: '$user.id' } } } })]
  },
  { name: 'Team', properties: { name: 'string' }, relations: { members: { type: 'hasMany', model: 'Member', foreignKey: 'teamId' } } },
  { name: 'Member', properties: { userId: 'number', teamId: 'number' } }
]

t.test('rules with relations: rows that come, go and are removed; a membership that ends while the stream is open', async t => {
  const app = await makeApp(t, { definitions: teams })
  const { Note, Team, Member } = app.models
  await Team.create([{}, {}])
  await Member.create({ userId: 1, teamId: 1 })
  await Note.create([{ text: 'a', teamId: 1 }, { text: 'b', teamId: 2 }, { text: 'c', teamId: 1 }])
  const ann = await listen(t, app, 'ann')
  await Note.updateAll({ id: 2 }, { teamId: 1 })
  await ann.until('create 2')
  await Note.updateAll({ id: 1 }, { teamId: 2 })
  await ann.until('remove 1')
  await Note.deleteById(2)
  await ann.until('remove 2')
  t.same(ann.events(), ['create 2', 'remove 1', 'remove 2'])
  await Member.destroyAll({ userId: 1 })
  await Note.updateAll({ id: 3 }, { text: 'not for ann' })
  await ann.until('gap')
  await Note.create({ text: 'not for ann', teamId: 1 })
  await Member.create({ userId: 1, teamId: 2 })
  await Note.create({ text: 'for ann', teamId: 2 })
  await ann.until('create 5')
  t.same(ann.events(), ['create 2', 'remove 1', 'remove 2', 'gap', 'gap', 'create 5'])
  t.notMatch(ann.text(), 'not for ann')
})

t.test('a role that is taken away while the stream is open', async t => {
  const app = await makeApp(t, {
    definitions: [{
      name: 'Note', properties, acls: [row('DENY', '$everyone'), own, row('ALLOW', 'admin', { accessType: 'READ' })]
    }]
  })
  const { Note, RoleMapping } = app.models
  await Note.create([{ text: 'a', ownerId: 1 }, { text: 'b', ownerId: 3 }])
  const adam = await listen(t, app, 'adam')
  await Note.updateAll({ id: 1 }, { text: 'seen by an admin', salary: 1 })
  await adam.until('update 1')
  t.match(adam.text(), 'salary')
  await RoleMapping.destroyAll()
  await Note.updateAll({ id: 1 }, { text: 'of ann alone', salary: 4711 })
  await Note.updateAll({ id: 2 }, { text: 'of adam', salary: 4711 })
  await adam.until('update 2')
  t.same(adam.events(), ['update 1', 'gap', 'update 2'])
  t.notMatch(adam.text(), /of ann alone|4711/)
})

t.test('the condition of a stream may not name what its reader may not read', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Note', properties, acls: [row('DENY', '$everyone'), own] }]
  })
  const options = encodeURIComponent(JSON.stringify({ where: { salary: { gt: 1 } } }))
  const response = await app.inject({
    url: `/api/Notes/change-stream?options=${options}`, headers: { authorization: app.tokens.ann as string }
  })
  t.match([response.statusCode, response.json().error.code], [400, 'HIDDEN_PROPERTY_IN_QUERY'])
})
