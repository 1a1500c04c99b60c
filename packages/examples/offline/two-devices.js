// Two devices write without a line, and agree when they have one: node packages/examples/offline/two-devices.js
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'
import { createClient, memoryStore } from '@fastback/client'

const app = Fastify({ forceCloseConnections: true })
await app.register(core, {
  dataSources: { db: { connector: memoryConnector } },
  definitions: [{
    name: 'Note',
    trackChanges: true,
    properties: { id: { type: 'string', id: true, defaultFn: 'guid' }, title: 'string', done: 'boolean' }
  }],
  models: { Note: { dataSource: 'db', public: true } }
})
await app.register(sync)
await app.register(rest, { prefix: '/api' })
const address = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })

// A browser takes indexedDbStore, a program in Node sqliteStore. `automatic: false`: they sync when they are told to.
const device = () => createClient({
  baseUrl: `${address}/api`, models: { Note: { conflict: 'fields' } }, store: memoryStore(), automatic: false
})
const phone = device()
const laptop = device()
const show = async when => {
  for (const [name, { Note }] of Object.entries({ phone, laptop })) {
    const notes = await Note.find({ order: 'title' })
    console.log(`${when}, ${name}:`, notes.map(({ title, done }) => `${title}${done ? ' (done)' : ''}`).join(', '))
  }
}

const milk = await phone.Note.create({ title: 'milk', done: false })
await phone.sync()
await laptop.sync()
await show('agreed')

// Neither has a line now. Both change the same note, each another property.
await phone.Note.patch(milk.id, { title: 'oat milk' })
await laptop.Note.patch(milk.id, { done: true })
await laptop.Note.create({ title: 'bread' })
await show('without a line')

await phone.sync()
await laptop.sync()
await phone.sync()
await show('agreed again')
console.log('conflicts:', (await laptop.conflicts.list()).length)
await phone.close()
await laptop.close()
await app.close()
