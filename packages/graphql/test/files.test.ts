/** Files: their bytes go by signed addresses, and these are made by GraphQL. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { graphql } from '@fastback/graphql'
import { rest } from '@fastback/rest'
import { storageConnector } from '@fastback/storage'

t.test('an upload by a signed address', async t => {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-graphql-'))
  await mkdir(path.join(root, 'box'))
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await rm(root, { recursive: true, force: true })
  })
  await app.register(core, {
    dataSources: {
      files: { connector: storageConnector, root, presign: true, presignSecret: 'a secret of thirty-two characters' }
    },
    definitions: [{ name: 'Box', base: 'Model' }],
    models: { Box: { dataSource: 'files', public: true } }
  })
  await app.register(graphql)
  await app.register(rest, { prefix: '/api', accessControl: false })
  const ask = async (query: string): Promise<any> =>
    (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json()
  const { data: { boxPresignUpload: { url, method } } } =
    await ask('mutation { boxPresignUpload(container: "box", data: { name: "a.txt" }) }')
  t.equal((await app.inject({ method, url, payload: 'stored' })).statusCode, 200)
  t.equal(await readFile(path.join(root, 'box', 'a.txt'), 'utf8'), 'stored')
  t.match(await ask('{ boxGetFiles(container: "box") }'), { data: { boxGetFiles: [{ name: 'a.txt' }] } })
  const { data: { __schema: { mutationType: { fields } } } } = await ask('{ __schema { mutationType { fields { name } } } }')
  t.notOk(fields.some(({ name }: { name: string }) => name === 'boxUpload'), 'bytes go by REST')
})
