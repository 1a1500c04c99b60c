/** Signed addresses of a model whose rules close everything but the making of them (storage.md, SS-17). */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { auth } from '@fastback/auth'
import { acl } from '@fastback/acl'
import { rest } from '@fastback/rest'
import { storageConnector } from '@fastback/storage'

t.test('a signature stands in the place of a token; a rule that names the route closes it', async t => {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-signed-'))
  await mkdir(path.join(root, 'box'))
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    await rm(root, { recursive: true, force: true })
  })
  const rule = (permission: string, property: string) => ({ principalType: 'ROLE', principalId: '$everyone', permission, property })
  const open = [rule('DENY', '*'), rule('ALLOW', 'presignUpload')]
  await app.register(core, {
    dataSources: {
      db: { connector: memoryConnector },
      files: { connector: storageConnector, root, presign: true, presignSecret: 'a secret of thirty-two characters' }
    },
    definitions: [
      { name: 'Box', base: 'Model', acls: open },
      { name: 'Shut', base: 'Model', acls: [...open, rule('DENY', 'uploadSigned')] }
    ],
    models: { Box: { dataSource: 'files', public: true }, Shut: { dataSource: 'files', public: true } }
  })
  await app.register(auth, { dataSource: 'db' })
  await app.register(acl, { dataSource: 'db' })
  await app.register(rest, { prefix: '/api' })
  const signed = async (model: string): Promise<{ url: string, method: 'PUT' }> =>
    (await app.inject({ method: 'POST', url: `/api/${model}/box/presign-upload`, payload: { name: 'a.txt' } })).json()
  const { url, method } = await signed('Boxes')
  t.equal((await app.inject({ method: 'GET', url: '/api/Boxes/box/files' })).statusCode, 401)
  t.equal((await app.inject({ method: 'GET', url: '/api/Boxes/box/signed/a.txt' })).statusCode, 403)
  t.equal((await app.inject({ method, url, payload: 'stored' })).statusCode, 200)
  t.equal(await readFile(path.join(root, 'box', 'a.txt'), 'utf8'), 'stored')
  t.equal((await app.inject({ method: 'GET', url })).statusCode, 403)
  const shut = await signed('Shuts')
  t.equal((await app.inject({ method, url: shut.url, payload: 'x' })).statusCode, 401)
})
