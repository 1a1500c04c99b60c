/** Who does not see a row parts it from no other: S-110. */
import tap from 'tap'
import { join } from './clients.js'
import { appWith } from './folders.js'
import { attack, storeNames, type Answer } from './harness.js'

type Loose = any

const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const served = appWith({
  Team: {
    properties: { name: 'string', tagIds: ['number'] },
    relations: {
      tags: { type: 'hasMany', model: 'Tag', through: 'Tagging', foreignKey: 'teamId', keyThrough: 'tagId' },
      listed: { type: 'referencesMany', model: 'Tag', foreignKey: 'tagIds' }
    },
    acls: [deny, users]
  },
  Tag: { properties: { name: 'string', ownerId: 'number' }, acls: [deny, { ...users, rows: { ownerId: '$user.id' } }] },
  Tagging: { properties: {}, acls: [deny, users] }
})

for (const store of new Set(['memory', ...storeNames])) {
  tap.test(`${store}: S-110 rows out of sight are parted from no others`, { timeout: 60_000 }, async t => {
    // Seen to fail: mustBeInSight and partsInSight of core/relations that look at no rules: 204, and links were gone
    const server = await attack(t, served(t, { relatedAccess: 'related' }), store)
    const { id, token } = await join(server, 'ben')
    const loose = server.models as Loose
    await loose.Team.create({ name: 't', tagIds: [1, 2, 3] })
    await loose.Tag.create([{ name: 'other', ownerId: id + 1 }, { name: 'own', ownerId: id }, { name: 'own', ownerId: id }])
    await loose.Tagging.create([1, 2, 3].map(tagId => ({ teamId: 1, tagId })))
    const send = async (verb: string, path: string): Promise<Answer> => await server.send(verb, `/Teams/1/${path}`, { token })
    const left = async (): Promise<unknown> => [
      (await loose.Tagging.find()).map(({ tagId }: Loose) => tagId), [...(await loose.Team.findById(1)).tagIds]
    ]
    for (const relation of ['tags', 'listed']) {
      t.same([(await send('PUT', `${relation}/rel/1`)).status, (await send('DELETE', `${relation}/rel/1`)).status], [404, 404])
    }
    t.same(await left(), [[1, 2, 3], [1, 2, 3]])
    for (const relation of ['tags', 'listed']) t.equal((await send('DELETE', `${relation}/rel/2`)).status, 204, 'control')
    t.same(await left(), [[1, 3], [1, 3]])
    for (const relation of ['tags', 'listed']) t.equal((await send('DELETE', relation)).status, 204)
    t.same(await left(), [[1], [1]], 'of all those that are in sight')
  })
}
