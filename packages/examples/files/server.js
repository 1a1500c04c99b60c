// Photos, kept in a folder: node packages/examples/files/server.js, then
//   curl -F 'file=@me.png;type=image/png' http://127.0.0.1:3000/api/Albums/summer/upload
//   curl -O http://127.0.0.1:3000/api/Albums/summer/download/me.png
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { explorer } from '@fastback/explorer'
import { rest } from '@fastback/rest'
import { storageConnector } from '@fastback/storage'

const root = process.env.PHOTOS ?? fileURLToPath(new URL('photos', import.meta.url))
mkdirSync(root, { recursive: true })

const app = Fastify()
await app.register(core, {
  dataSources: {
    // What is sent as a picture, of at most 5 MB.
    photos: { connector: storageConnector, root, allowedContentTypes: ['image/*'], maxFileSize: 5_000_000 }
  },
  definitions: [{ name: 'Album', base: 'Model' }],
  models: { Album: { dataSource: 'photos', public: true } }
})
await app.register(rest, { prefix: '/api' })
await app.register(explorer)
await app.ready()
const { Album } = app.models
if (!(await Album.getContainers()).some(({ name }) => name === 'summer')) await Album.createContainer({ name: 'summer' })
const address = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`Albums at ${address}/api/Albums, the explorer at ${address}/explorer`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, async () => { await app.close() })
