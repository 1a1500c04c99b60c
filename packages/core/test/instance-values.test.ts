/** What instances hold of lists, nested models and points; and what stores keep of them. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector, transientConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores: Record<string, Loose> = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

const definitions = [
  { name: 'Place', properties: { town: 'string', at: 'geopoint' } },
  {
    name: 'Team',
    properties: { name: 'string', tags: ['string'], home: 'Place', places: ['Place'], grid: [['number']], at: 'geopoint' }
  },
  { name: 'Link', idInjection: false, properties: { id: { type: 'number', id: true }, title: 'string', note: 'string' } },
  { name: 'Seal', idInjection: false, properties: { motto: { type: 'string', required: true } } },
  {
    name: 'Club',
    properties: { name: 'string' },
    relations: {
      seal: { type: 'embedsOne', model: 'Seal', property: 'held' },
      links: { type: 'embedsMany', model: 'Link', property: 'linkList', options: { belongsTo: 'page' } },
      pages: { type: 'referencesMany', model: 'Page' }
    }
  },
  { name: 'Page', properties: { title: 'string' } }
]

async function start (t: Loose, store: Loose): Promise<Record<string, Loose>> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', store)
  registry.defineDataSource('none', { connector: transientConnector })
  for (const each of definitions) {
    registry.attach(registry.defineModel(each as Loose), ['Place', 'Link', 'Seal'].includes(each.name) ? 'none' : 'db')
  }
  const models = registry.models as Record<string, Loose>
  models.Place.prototype.shout = function (this: Loose) { return `${String(this.town)}!` }
  models.Link.belongsTo('page', {
    model: 'Page', foreignKey: 'id', properties: { title: 'title' }, options: { invertProperties: true }
  })
  await registry.start()
  await registry.dataSources.db?.automigrate()
  t.teardown(() => registry.stop())
  return models
}

const plain = (value: unknown): Loose => JSON.parse(JSON.stringify(value))

for (const [name, store] of Object.entries(stores)) {
  t.test(`${name}: lists, nested models and points`, async t => {
    const { Team, Place } = await start(t, store)
    const data = {
      tags: ['a', 'b'], home: { town: 'Oslo' }, places: [{ town: 'Bergen' }], grid: [[1, 2], [3]], at: { lat: 1, lng: 2 }
    }
    const created = await Team.create(data)
    for (const team of [new Team(data), created, await Team.findById(created.id)]) {
      t.ok(Array.isArray(team.tags))
      t.strictSame(team.tags.toArray(), ['a', 'b'])
      t.strictSame(team.tags.map((each: string) => each), ['a', 'b'], 'what is made of a list is an array')
      t.ok(team.home instanceof Place)
      t.equal(team.home.shout(), 'Oslo!', 'a nested model has its methods')
      t.equal(team.places[0].shout(), 'Bergen!')
      t.equal(team.places.toObject()[0].town, 'Bergen')
      t.notOk(team.places.toObject()[0] instanceof Place)
      t.strictSame(team.grid.toObject(), [[1, 2], [3]])
      t.equal(team.at.distanceTo({ lat: 1, lng: 2 }), 0)
      t.equal(team.places.push({ town: 'Moss' }), 2)
      t.ok(team.places[1] instanceof Place, 'what is added becomes one')
      t.equal(String(team.tags), '["a","b"]')
    }
    const team = await Team.findById(created.id)
    team.places.push({ town: 'Moss' })
    team.tags.push('c')
    await team.save()
    t.same(plain(await Team.findById(created.id)), {
      id: created.id, ...data, tags: ['a', 'b', 'c'], places: [{ town: 'Bergen' }, { town: 'Moss' }]
    })
    team.home.town = 'Hamar'
    await team.updateAttributes({ home: team.home })
    t.equal((await Team.findById(created.id)).home.town, 'Hamar')
    t.equal(new Team({ at: { lat: 1000, lng: 2 } }).at.lat, 1000, 'what is no point is left for validation')
  })

  t.test(`${name}: hooks and stores have plain values`, async t => {
    const { Team, Place } = await start(t, store)
    Team.observe('persist', (context: Loose) => {
      t.notOk(context.data.home instanceof Place)
      t.equal(context.data.tags.toArray, undefined)
    })
    await Team.create({ tags: ['a'], home: { town: 'Oslo' } })
    t.end()
  })

  t.test(`${name}: an owner holds the instances of its embedded rows`, async t => {
    const { Club, Link, Seal, Page } = await start(t, store)
    const club = await Club.create({ name: 'A' })
    t.equal(club.seal(), undefined)
    const seal = await club.seal.create({ motto: 'one' })
    t.equal(club.held, seal)
    t.equal(club.seal(), seal)
    const found = await Club.findById(club.id)
    t.ok(found.held instanceof Seal)
    t.equal(found.seal(), found.held)
    found.seal().motto = null
    const invalid = await found.save().catch((error: unknown) => error)
    t.same(invalid.details.messages, { seal: ['is invalid: `motto` can\'t be blank'] })
    t.same(invalid.violations.map((each: Loose) => each.path), ['.held.motto'], 'clients are told the whole path')
    found.seal(new Page({ title: 'no seal' }))
    t.ok(found.held instanceof Seal, 'a row of another model is none')

    await club.links.create([{ id: 11, title: 'x' }, { id: 12, title: 'y' }])
    const again = await Club.findById(club.id)
    t.equal(again.links(), again.linkList)
    t.equal(again.links.at(0), again.linkList[0])
    t.equal(again.links.get(12), again.linkList[1], 'without a callback at once')
    t.equal(again.links.get(9), null)
    const changed = again.links.set(12, { title: 'z' })
    t.equal(again.linkList[1].title, 'z', 'at once, before it is stored')
    t.equal((await changed).title, 'z')
    t.equal((await Club.findById(club.id)).linkList[1].title, 'z')
    const built = again.links.build({ id: 17, title: 'new' })
    t.ok(built instanceof Link)
    t.equal(again.linkList[2], built)
    t.same(again.linkList.toObject().map((each: Loose) => each.id), [11, 12, 17])

    const page = await Page.create({ title: 'Page' })
    t.match(await club.links.add(page, { note: 'n' }), { id: page.id, title: 'Page', note: 'n' })
    await t.rejects(club.links.add(999), { statusCode: 404 } as never)
    const link = (await Club.create({})).links.build({ note: 'later' })
    await link.page.create({ title: 'Made' })
    t.match(link, { title: 'Made', note: 'later' })
    t.match((await Club.findOne({ order: 'id DESC' })).linkList.toObject(), [{ title: 'Made', note: 'later' }],
      'the owner keeps what its embedded row points at')
  })

  t.test(`${name}: what is wrong with embedded rows, as code in the process reads it`, async t => {
    const { Club, Link } = await start(t, store)
    Link.validatesPresenceOf('title')
    const error = await Club.create({ linkList: [{ id: 1, title: 'x' }, { id: 2 }, {}] }).catch((each: unknown) => each)
    t.same(error.details.messages, {
      linkList: [
        'contains invalid item at index `2`: `id` is blank',
        'contains invalid item: `2` (`title` can\'t be blank)',
        'contains invalid item at index `2` (`title` can\'t be blank)'
      ]
    })
    t.same(error.violations.map((each: Loose) => each.path), ['.linkList[2].id', '.linkList[1].title', '.linkList[2].title'])
    const twice = await Club.create({ pageIds: [1, 1] }).catch((each: unknown) => each)
    t.same(twice.details.codes, { pages: ['uniqueness'] })
    t.notMatch(twice.message, 'value')
  })
}

t.test('rows that hold rows of their own model, at once or by another: trees', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModels([
    { name: 'Comment', properties: { text: { type: 'string', required: true } }, relations: { replies: { type: 'embedsMany', model: 'Comment', property: 'answers', options: { persistent: true } }, frame: { type: 'embedsOne', model: 'Frame', property: 'border' } } },
    { name: 'Frame', properties: { width: 'number' }, relations: { title: { type: 'embedsOne', model: 'Comment', property: 'heading' } } }
  ].map(input => ({ input } as any)))
  registry.attach('Comment', 'db')
  registry.attach('Frame', 'db')
  await registry.start()
  const { Comment } = registry.models as any
  const tree = { text: 'a', answers: [{ id: 1, text: 'b', answers: [{ id: 2, text: 'c' }] }], border: { width: 1, heading: { text: 'd' } } }
  const stored = await Comment.create(tree)
  t.match(JSON.parse(JSON.stringify(await Comment.findById(stored.id))), tree)
  await t.rejects(Comment.create({ text: 'a', answers: [{ id: 1, text: 'b', answers: [{ id: 2 }] }] }), { statusCode: 422 } as never)
  await t.rejects(Comment.create({ text: 'a', border: { heading: {} } }), { statusCode: 422 } as never)
})
