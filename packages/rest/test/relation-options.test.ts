/**
 * What relation definitions can say beyond their keys, and every form of polymorphic relations (behaviour.md, section
 * 8).
 */
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function start (t: Test, dataSource: Loose, definitions: Loose[], prepare: (models: Loose) => void = () => {}) {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', dataSource)
  registry.defineModels(definitions.map((input: ModelDefinitionInput) => ({ input })))
  for (const { name } of definitions) registry.attach(name, 'db', { public: true })
  prepare(registry.models)
  const app = Fastify({ routerOptions: { caseSensitive: false } })
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await registry.start()
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } } })
  const send = async (
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: unknown
  ): Promise<[number, Loose]> => {
    const response = await app.inject({
      method,
      url: `/api${url}`,
      ...(payload === undefined ? {} : { payload: payload as object })
    })
    return [response.statusCode, response.body === '' ? undefined : response.json()]
  }
  return { models: registry.models as Loose, send }
}

const plain = (value: unknown): Loose => JSON.parse(JSON.stringify(value))

for (const [store, dataSource] of Object.entries(stores)) {
  t.test(`${store}: properties are copied to related rows, or from them`, async t => {
    const {
      models: { Owner, Thing, Pass },
      send
    } = await start(t, dataSource, [
      {
        name: 'Owner',
        properties: { name: 'string', region: 'string', passCode: 'string' },
        relations: {
          things: {
            type: 'hasMany',
            model: 'Thing',
            foreignKey: 'ownerId',
            properties: { name: 'ownerName', region: 'ownerRegion' }
          },
          same: { type: 'hasMany', model: 'Thing', foreignKey: 'ownerId', properties: ['region'] },
          pass: {
            type: 'hasOne',
            model: 'Pass',
            foreignKey: 'ownerId',
            properties: { code: 'passCode' },
            options: { invertProperties: true }
          },
          cards: { type: 'embedsMany', model: 'Card', property: 'cardList', properties: { name: 'by' } }
        }
      },
      {
        name: 'Thing',
        properties: { title: 'string', ownerName: 'string', ownerRegion: 'string', region: 'string' },
        relations: {
          owner: {
            type: 'belongsTo',
            model: 'Owner',
            foreignKey: 'ownerId',
            properties: { name: 'ownerName' },
            invertProperties: true
          }
        }
      },
      { name: 'Pass', properties: { code: 'string' } },
      { name: 'Card', properties: { id: { type: 'number', id: true }, by: 'string' } }
    ])
    const ann = await Owner.create({ name: 'Ann', region: 'north' })
    t.match(plain(await ann.things.create({ title: 'a', ownerName: 'forged' })), {
      title: 'a',
      ownerName: 'Ann',
      ownerRegion: 'north',
      ownerId: 1
    })
    t.match(plain(ann.things.build({ title: 'b' })), { title: 'b', ownerName: 'Ann' })
    t.match((await send('POST', '/Owners/1/things', [{ title: 'c' }, { title: 'd' }]))[1], [
      { ownerName: 'Ann' },
      { ownerName: 'Ann' }
    ])
    t.equal((await ann.same.create({ title: 'e' })).region, 'north')
    const thing = new Thing({ title: 'f' })
    thing.owner(ann)
    t.match(
      plain(await thing.save()),
      { ownerId: 1, ownerName: 'Ann' },
      'a row that is made to belong to another takes its properties'
    )
    await ann.pass.create({ code: '007' })
    t.equal(ann.passCode, '007')
    t.equal((await ann.cards.create({})).by, 'Ann')
    t.equal(await Pass.count(), 1)
  })

  t.test(`${store}: options of embedded rows`, async t => {
    const {
      models: { Album, Track, Sleeve }
    } = await start(t, dataSource, [
      {
        name: 'Album',
        properties: { name: 'string' },
        relations: {
          tracks: { type: 'embedsMany', model: 'Track', property: 'trackList', options: { persistent: true } },
          notes: { type: 'embedsMany', model: 'Note', property: 'noteList', options: { prepend: true, forceId: true } },
          marks: {
            type: 'embedsMany',
            model: 'Note',
            property: 'markList',
            options: { autoId: false, validate: false, omitDefaultEmbeddedItem: true }
          },
          sleeve: { type: 'embedsOne', model: 'Sleeve', property: 'sleeveData', options: { persistent: true } },
          stamp: {
            type: 'embedsOne',
            model: 'Note',
            property: 'stampData',
            default: { id: 1, text: 'none' },
            options: { validate: false }
          }
        }
      },
      { name: 'Track', properties: { title: { type: 'string', required: true } } },
      { name: 'Note', properties: { id: { type: 'number', id: true }, text: { type: 'string', required: true } } },
      { name: 'Sleeve', properties: { colour: 'string' } }
    ])
    const album = await Album.create({ name: 'x' })
    t.same(plain(album), { id: 1, name: 'x', trackList: [], noteList: [], stampData: { id: 1, text: 'none' } })
    const track = await album.tracks.create({ title: 'one' })
    t.equal(track.id, 1)
    t.match(plain(await Track.findById(1)), { title: 'one' }, 'persistent rows are rows of their own as well')
    t.same(plain(await Album.findById(1)).trackList, [{ id: 1, title: 'one' }])
    track.title = 'changed'
    await track.save()
    t.match(
      [plain(await Track.findById(1)), plain(await Album.findById(1)).trackList[0]],
      [{ title: 'changed' }, { title: 'changed' }]
    )
    await album.tracks()[0].updateAttributes({ title: 'again' })
    t.match(
      [plain(await Track.findById(1)), plain(await Album.findById(1)).trackList[0]],
      [{ title: 'again' }, { title: 'again' }]
    )
    await album.tracks.build({ title: 'two' }).save()
    t.same(
      plain(await Album.findById(1)).trackList.map(({ id, title }: Loose) => [id, title]),
      [
        [1, 'again'],
        [2, 'two']
      ]
    )
    await (await Album.findById(1)).tracks()[1].destroy()
    t.equal(await Track.count(), 1)
    t.equal(plain(await Album.findById(1)).trackList.length, 1)
    await t.rejects(album.tracks.create({}), { statusCode: 422 } as never)
    t.equal(await Track.count(), 1)
    await album.sleeve.create({ colour: 'red' })
    t.equal(await Sleeve.count({ colour: 'red' }), 1)
    await album.notes.create({ id: 77, text: 'first' })
    await album.notes.create({ text: 'second' })
    t.same(
      plain(await Album.findById(1)).noteList.map(({ id, text }: Loose) => [id, text]),
      [
        [2, 'second'],
        [1, 'first']
      ],
      'prepended; ids are given out whatever was sent'
    )
    await t.rejects(
      album.marks.create({ text: 'no id' }),
      { statusCode: 422 } as never,
      'no ids are given out: it has none'
    )
    await t.rejects(album.marks.create({ id: 5 }), { statusCode: 422 } as never, 'what the relation makes is validated')
    await album.updateAttributes({ markList: [{ id: 5 }] })
    t.same(
      plain(await Album.findById(1)).markList,
      [{ id: 5 }],
      'what is written with its owner is not, with validate: false'
    )
    await t.rejects(album.updateAttributes({ noteList: [{ id: 5 }] }), { statusCode: 422 } as never)
  })

  t.test(`${store}: polymorphic in every form`, async t => {
    const { models, send } = await start(t, dataSource, [
      {
        name: 'Author',
        properties: { name: 'string' },
        relations: {
          avatar: { type: 'hasOne', model: 'Picture', polymorphic: { as: 'imageable' } },
          pictures: { type: 'hasMany', model: 'Picture', polymorphic: { selector: 'imageable' } },
          drawings: { type: 'hasMany', model: 'Drawing', polymorphic: { foreignKey: 'of', discriminator: 'kind' } },
          labels: {
            type: 'hasMany',
            model: 'Label',
            through: 'Labelling',
            keyThrough: 'labelId',
            polymorphic: 'labelled'
          },
          posters: { type: 'hasAndBelongsToMany', model: 'Poster', through: 'PosterLink', polymorphic: 'shown' }
        }
      },
      {
        name: 'Reader',
        properties: { uid: { type: 'string', id: true }, name: 'string' },
        forceId: false,
        relations: {
          cover: { type: 'hasOne', model: 'Drawing', polymorphic: { foreignKey: 'of', discriminator: 'kind' } },
          labels: {
            type: 'hasMany',
            model: 'Label',
            through: 'Labelling',
            keyThrough: 'labelId',
            polymorphic: 'labelled'
          }
        }
      },
      {
        name: 'Picture',
        properties: { url: 'string' },
        relations: { imageable: { type: 'belongsTo', polymorphic: true } }
      },
      {
        name: 'Drawing',
        properties: { url: 'string' },
        relations: {
          subject: { type: 'belongsTo', polymorphic: { foreignKey: 'of', discriminator: 'kind', idType: 'string' } }
        }
      },
      {
        name: 'Label',
        properties: { word: 'string' },
        relations: {
          authors: {
            type: 'hasMany',
            model: 'Author',
            through: 'Labelling',
            foreignKey: 'labelId',
            polymorphic: 'labelled',
            invert: true
          }
        }
      },
      {
        name: 'Labelling',
        properties: { labelledId: 'string' },
        relations: {
          label: { type: 'belongsTo', model: 'Label' },
          labelled: { type: 'belongsTo', polymorphic: { idType: 'string' } }
        }
      },
      { name: 'Poster', properties: { title: 'string' } },
      {
        name: 'PosterLink',
        properties: {},
        relations: { poster: { type: 'belongsTo', model: 'Poster' }, shown: { type: 'belongsTo', polymorphic: true } }
      }
    ])
    const { Author, Reader, Picture, Drawing, Label, Labelling } = models
    const ann = await Author.create({ name: 'Ann' })
    const bob = await Reader.create({ uid: '1', name: 'Bob' })
    await ann.pictures.create({ url: 'p' })
    t.match(plain(await Picture.findOne()), { imageableId: 1, imageableType: 'Author' })
    t.equal((await (await Picture.findOne()).imageable.get()).name, 'Ann')
    await ann.drawings.create({ url: 'a' })
    await bob.cover.create({ url: 'b' })
    t.match(
      plain(await Drawing.find({ order: 'url' })),
      [
        { of: '1', kind: 'Author' },
        { of: '1', kind: 'Reader' }
      ],
      'ids of both kinds in one column'
    )
    t.same(
      plain(await Drawing.find({ order: 'url', include: 'subject' })).map((each: Loose) => each.subject.name),
      ['Ann', 'Bob']
    )
    t.same(plain(await Author.find({ include: 'drawings' }))[0].drawings.map((each: Loose) => each.url), ['a'])
    t.equal((await bob.cover.get()).url, 'b')
    t.match(await send('GET', '/Drawings/2/subject'), [200, { name: 'Bob', uid: '1' }])

    const [red] = await Label.create([{ word: 'red' }, { word: 'blue' }])
    await ann.labels.add(red)
    await bob.labels.add(red)
    await bob.labels.create({ word: 'green' })
    t.match(plain(await Labelling.find({ order: 'id' })), [
      { labelId: 1, labelledId: '1', labelledType: 'Author' },
      { labelledType: 'Reader' },
      { labelledType: 'Reader' }
    ])
    t.same((await ann.labels.find()).map((each: Loose) => each.word), ['red'])
    t.same((await bob.labels.find({ order: 'word' })).map((each: Loose) => each.word), ['green', 'red'])
    t.equal(await ann.labels.exists(red.id), true)
    t.same((await red.authors.find()).map((each: Loose) => each.name), ['Ann'], 'from the other side')
    t.same(
      plain(await Label.find({ where: { word: 'red' }, include: 'authors' }))[0].authors.map(
        (each: Loose) => each.name
      ),
      ['Ann']
    )
    t.same(plain(await Reader.find({ include: 'labels' }))[0].labels.length, 2)
    t.match(await send('GET', '/Readers/1/labels/count'), [200, { count: 2 }])
    t.match(await send('PUT', '/Authors/1/labels/rel/2'), [200, { labelledType: 'Author' }])
    t.same(await send('DELETE', '/Authors/1/labels/rel/2'), [204, undefined])
    await bob.labels.remove(red)
    t.equal(await ann.labels.count(), 1, 'what others have stays')
    await ann.posters.create({ title: 'P' })
    t.same(plain(await models.PosterLink.find()), [{ id: 1, posterId: 1, shownId: 1, shownType: 'Author' }])
    t.same((await ann.posters.find()).map((each: Loose) => each.title), ['P'])
  })

  t.test(`${store}: keys that are no ids, scopes, methods, paths`, async t => {
    const {
      models: { City, House },
      send
    } = await start(
      t,
      dataSource,
      [
        {
          name: 'City',
          properties: { code: { type: 'string', index: true }, name: 'string' },
          relations: {
            houses: {
              type: 'hasMany',
              model: 'House',
              foreignKey: 'cityCode',
              primaryKey: 'code',
              options: { http: { path: 'buildings' } }
            },
            tall: {
              type: 'hasMany',
              model: 'House',
              foreignKey: 'cityCode',
              primaryKey: 'code',
              scope: { where: { floors: { gt: 5 } }, order: 'floors DESC' }
            },
            secretHouses: {
              type: 'hasMany',
              model: 'House',
              foreignKey: 'cityCode',
              primaryKey: 'code',
              options: { disableInclude: true }
            }
          }
        },
        {
          name: 'House',
          properties: { floors: 'number', cityCode: 'string' },
          relations: { city: { type: 'belongsTo', model: 'City', foreignKey: 'cityCode', primaryKey: 'code' } }
        }
      ],
      ({ City, House }) => {
        City.hasMany(House, {
          as: 'own',
          foreignKey: 'cityCode',
          primaryKey: 'code',
          scope: (city: Loose) => (city === undefined ? {} : { where: { floors: city.name.length } }),
          scopeMethods: {
            sum: async function (this: Loose) {
              return (await this.modelInstance.houses.find()).reduce(
                (sum: number, house: Loose) => sum + (house.floors as number),
                0
              )
            }
          }
        })
      }
    )
    const oslo = await City.create({ code: 'OSL', name: 'Oslo' })
    await City.create({ code: 'BGO', name: 'Bergen' })
    await oslo.houses.create([{ floors: 4 }, { floors: 6 }, { floors: 9 }])
    t.equal((await House.findOne()).cityCode, 'OSL')
    t.equal((await (await House.findOne()).city.get()).name, 'Oslo')
    t.same(plain(await House.find({ include: 'city', limit: 1 }))[0].city.name, 'Oslo')
    t.same((await oslo.tall.find()).map((each: Loose) => each.floors), [9, 6])
    t.same(
      plain(await City.find({ include: ['houses', 'tall', 'secretHouses'] })).map((city: Loose) => [
        city.houses.length,
        city.tall.map((each: Loose) => each.floors),
        'secretHouses' in city
      ]),
      [
        [3, [9, 6], false],
        [0, [], false]
      ]
    )
    t.same((await oslo.own.find()).map((each: Loose) => each.floors), [4], 'a scope may depend on the owner')
    t.equal(await oslo.own.sum(), 19)
    t.equal((await send('GET', '/Cities/1/buildings'))[1].length, 3)
    t.equal((await send('GET', '/Cities/1/houses'))[0], 404, 'a path of its own')
    t.match(await send('GET', '/Houses/1/city'), [200, { name: 'Oslo' }])
    t.match(await send('PUT', '/Cities/1/buildings/1', { cityCode: 'BGO' }), [400])
    t.same(await send('DELETE', '/Cities/1/tall'), [204, undefined])
    t.equal(await House.count(), 1, 'rows of the scope')
  })
}
