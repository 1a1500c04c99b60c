/** Devices of users, the programs that act for these, and what a user's password ends: S-193. */
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { installationDefinition, pushConnector } from '@fastback/push'
import { bearer, machineToken, makeServer, pairOf, type Server } from '../../../packages/oauth2/test/server.js'

/** @param forPrograms whether devices are at paths for OAuth tokens, or for those of logins */
async function shop (t: Test, settings: object = {}, forPrograms = true): Promise<Server> {
  const server = await makeServer(t, {
    options: { authenticate: [{ paths: [forPrograms ? '/api' : '/api/Notes'] }] } as never,
    prepare: ({ registry }) => {
      registry.defineDataSource('push', { connector: pushConnector, secret: 'a secret of at least thirty-two characters' } as never)
      registry.defineModel({ name: 'Push', plural: 'push', base: 'Model' })
      registry.attach('Push', 'push')
      registry.defineModel({ ...installationDefinition, settings: { ...installationDefinition.settings, ...settings } })
      registry.attach('Installation', 'db', { public: true })
    }
  })
  Object.assign(server.model('User').settings, { statusLocks: true })
  return server
}

type Send = (verb: string, path: string, payload?: object) => Promise<LightMyRequestResponse>
const sender = ({ app }: Server, headers: object): Send => async (verb, path, payload) =>
  await app.inject({
    method: verb as 'GET', url: `/api/Installations${path}`, headers: headers as never,
    ...(payload === undefined ? {} : { payload })
  })
const device = (deviceToken: string): object => ({ appId: 'shop', deviceType: 'stub', deviceToken })
const devices = async (server: Server): Promise<any[]> => await server.model('Installation').find({ order: 'id' })

async function asAda (server: Server): Promise<Send> {
  const login = { method: 'POST', url: '/api/Users/login', payload: { username: 'ada', password: 'correct horse' } } as const
  return sender(server, { authorization: (await server.app.inject(login)).json().id })
}

t.test('S-193, PU-32: a program registers no device for its user, and takes over none', async t => {
  // Seen to fail: mustBeUser of push/models/owners empty: the device was ada's, and the token of hers was replaced
  const server = await shop(t)
  const { access_token: token } = await pairOf(server)
  const program = sender(server, bearer(token))
  const { id } = await server.model('Installation').create({ ...device('of-ada'), userId: '1' })
  const before = JSON.stringify(await devices(server))
  for (const [verb, path, payload] of [
    ['POST', '', device('evil')], ['POST', '', [device('evil')]], ['POST', '', device('of-ada')],
    ['PATCH', `/${id}`, { deviceToken: 'evil' }], ['PUT', `/${id}`, { id, ...device('evil') }],
    ['POST', `/${id}/replace`, { id, ...device('evil') }]
  ] as const) {
    const response = await program(verb, path, payload)
    t.match([response.statusCode, response.json()], [403, { error: { code: 'INSTALLATIONS_NOT_FOR_CLIENT' } }], `${verb} ${path}`)
    t.equal(JSON.stringify(await devices(server)), before)
  }
  const machine = await sender(server, bearer(await machineToken(server)))('POST', '', device('machine'))
  t.match([machine.statusCode, machine.json().userId ?? null], [200, null])
})

t.test('S-193 a program that the model names does', async t => {
  // Seen to fail: mustBeUser of push/models/owners without `clients`: 403
  const server = await shop(t, { clients: ['web'] })
  const { access_token: token } = await pairOf(server)
  const made = await sender(server, bearer(token))('POST', '', device('of-ada'))
  t.match([made.statusCode, made.json()], [200, { userId: '1' }])
})

const changes = {
  password: async (ada: any) => { await ada.updateAttributes({ password: 'another horse' }) },
  lock: async (ada: any) => { await ada.updateAttributes({ status: 'locked' }) },
  deletion: async (ada: any) => { await ada.destroy() }
}

for (const [name, change] of Object.entries(changes)) {
  t.test(`S-193 a device ends with the rights of its user: ${name}`, async t => {
    // Seen to fail: endWithUsers of push/models/owners empty: the device of whoever had the password was told on
    const server = await shop(t, {}, false)
    const send = await asAda(server)
    const made = await send('POST', '', device('of-ada'))
    t.match([made.statusCode, made.json()], [200, { userId: '1' }], 'users register their devices')
    t.equal((await send('PATCH', `/${made.json().id as string}`, { badge: 1 })).statusCode, 200)
    await server.model('Installation').create({ ...device('of-bob'), userId: '2' })
    const ada = await server.model('User').findById(1)
    if (name !== 'deletion') await ada.updateAttributes({ email: 'new@op.test' })
    t.equal((await devices(server)).length, 2, 'control')
    await change(ada)
    t.match(await devices(server), [{ userId: '2' }])
    t.equal((await devices(server)).length, 1)
  })
}
