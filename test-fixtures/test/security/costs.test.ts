/**
 * What one request may cost: S-74 and S-75. The limits are those of costly/server/config.test.json: 2,000,000 units of
 * work, 150 rows, 100,000 characters.
 */
import type { Caller } from '@fastback/core'
import { asRemote, CALLER } from '@fastback/core/remote'
import tap, { type Test } from 'tap'
import {
  attack,
  brackets,
  filterText,
  storeNames,
  type Answer,
  type Attacked,
  type Model,
  type Row
} from './harness.js'

const app = '../costly'
async function onEvery (tests: (t: Test, server: Attacked) => Promise<void>): Promise<void> {
  for (const store of storeNames) await tap.test(store, async t => { await tests(t, await attack(t, app, store)) })
}

/** Text of two letters, the same each time. */
function letters (length: number, seed = 1): string {
  let state = seed
  return Array.from({ length }, () => 'ab'[(state = (state * 48_271) % 2_147_483_647) % 2]).join('')
}

/** Takes all of its 61 instructions for every letter. */
const slow = 'a[ab]{55}[^ab]'
type Costly = Model & Record<'find' | 'count', (condition?: object, options?: object) => Promise<Row[]>> & {
  createChangeStream (): Promise<{ destroy (): void }>
}
const models = (server: Attacked) =>
  server.models as unknown as Record<'Author' | 'Book' | 'Genre' | 'Picture' | 'Note' | 'Staff', Costly>

const refusedFor = (limit: string) => ({
  status: 400,
  code: 'QUERY_TOO_EXPENSIVE',
  body: { error: { details: { limit } } }
})
const whereText = (where: object): string => filterText(where, 'where')

await onEvery(async (t, server) => {
  const { send, rows } = server
  const { Author, Book } = models(server)
  const [author] = await Author.create([{ name: 'ann' }, { name: 'ben' }]) as unknown as Array<{ id: number }>
  await Book.create(
    Array.from({ length: 120 }, (_, i) => ({
      title: `title ${i}`,
      text: letters(400, i + 1),
      n: i,
      authorId: author?.id,
      tags: ['x', `t${i}`],
      meta: { a: { c: i } }
    }))
  )

  t.test('S-74 work is counted over all conditions and rows of a request', async t => {
    // Seen to fail: before this change (every one of these was answered, after up to a minute); and with Work.spend
    // without its check
    const before = await rows('Book')
    const expensive: object[] = [
      { text: { regexp: slow } },
      { or: [{ text: { regexp: 'a[ab]{20}[^ab]' } }, { text: { regexp: 'b[ab]{35}[^ab]' } }] },
      { or: Array.from({ length: 3 }, (_, i) => ({ text: { like: `%${'a_'.repeat(60)}c${i}%` } })) },
      {
        and: [
          { nor: Array.from({ length: 70 }, (_, i) => ({ text: { ilike: `%_x${i}%_y%` } })) },
          { title: { like: '%none%' } }
        ]
      },
      { and: [{ n: { gte: 0 } }, { or: [{ title: 'x' }, { text: { regexp: `/${slow}/i` } }] }] }
    ]
    const told = (answer: Answer, what: string): void => {
      // A database server that says LIKE itself does that work itself.
      if (answer.status !== 400 && what.includes('like') && (server.store === 'postgres' || server.store === 'mysql')) {
        return
      }
      t.match(answer, refusedFor('work'), `${what} ${answer.text.slice(0, 120)}`)
    }
    for (const where of expensive) {
      const what = JSON.stringify(where).slice(0, 60)
      told(await send('GET', `/Books?${filterText({ where })}`), `list ${what}`)
      told(await send('GET', `/Books?${filterText({ where, limit: 1 })}`), `page ${what}`)
      told(await send('GET', `/Books/findOne?${filterText({ where })}`), `findOne ${what}`)
      told(await send('GET', `/Books/count?${whereText(where)}`), `count ${what}`)
      told(
        await send('GET', `/Authors?${filterText({ include: { relation: 'books', scope: { where } } })}`),
        `include ${what}`
      )
      told(await send('GET', `/Authors/${author?.id}/books?${filterText({ where })}`), `relation ${what}`)
      told(await send('GET', `/Books/long?${filterText({ where })}`), `scope ${what}`)
    }
    for (const where of expensive.slice(0, 2)) {
      told(await send('POST', `/Books/update?${whereText(where)}`, { json: { n: 5 } }), 'update')
      told(await send('POST', `/Books/upsertWithWhere?${whereText(where)}`, { json: { n: 5 } }), 'upsertWithWhere')
    }
    // Seen to fail: #remember of core/changes/change-feed.ts as the application's own
    const changes = await Book.createChangeStream()
    told(await send('POST', `/Books/update?${whereText(expensive[0] as object)}`, { json: { n: 5 } }), 'told of changes')
    changes.destroy()
    t.equal(await rows('Book'), before)
  })

  t.test('S-74 patterns of a query are bounded together before any row is looked at', async t => {
    // Seen to fail: before this change; and readRegExp of core/query/parse-pattern.ts without counts.program
    const many = Array.from({ length: 20 }, (_, i) => ({ text: { regexp: `a[ab]{20${i % 10}}[^ab]` } }))
    for (const where of [
      { or: many },
      { and: many.slice(0, 6) },
      { nor: [{ and: many.slice(0, 3) }, { or: many.slice(3, 7) }] }
    ]) {
      t.match(await send('GET', `/Books?${filterText({ where })}`), refusedFor('program'))
      t.match(await send('GET', `/Books/count?${whereText(where)}`), refusedFor('program'))
    }
    t.match(await send('GET', `/Books?${brackets({ where: { or: many } })}`), refusedFor('program'))
    const scope = (from: number): object => ({
      relation: 'books',
      scope: { where: { or: many.slice(from, from + 3) } }
    })
    t.match(
      await send('GET', `/Authors?${filterText({ include: [scope(0), { ...scope(3), relation: 'newest' }] })}`),
      refusedFor('program')
    )
    t.match(
      await send('GET', `/Genres?${filterText({ include: { relation: 'books', scope: { where: { or: many } } } })}`),
      refusedFor('program'),
      'without a row'
    )
  })

  t.test('S-74 what people look for is found', async t => {
    // Seen to fail: with "work" 2,000 in place of 2,000,000
    const found = async (where: object, count: number): Promise<void> => {
      t.match(
        await send('GET', `/Books/count?${whereText(where)}`),
        { status: 200, body: { count } },
        JSON.stringify(where).slice(0, 80)
      )
    }
    await found({ title: { regexp: '^title 1\\d$' } }, 10)
    await found({ title: { regexp: '/TITLE 11./i' } }, 10)
    await found({ text: { regexp: '^[ab]+$' } }, 120)
    await found({ text: { like: '%c%' } }, 0)
    await found({ title: { ilike: '%LE 7' } }, 1)
    await found({ or: Array.from({ length: 300 }, (_, i) => ({ title: `title ${i * 2}` })) }, 60)
    await found({ or: Array.from({ length: 120 }, (_, i) => ({ 'meta.a.c': i * 3 })) }, 40)
    await found({ and: [{ or: Array.from({ length: 60 }, (_, i) => ({ n: { gt: 118 - i } })) }, { tags: 't3' }] }, 0)
    await found({ tags: { inq: ['t1', 't2', 'none'] } }, 2)
    t.match(
      await send(
        'GET',
        `/Books?${filterText({ where: { text: { regexp: '[ab]' } }, order: 'meta.a.c DESC', limit: 2, skip: 1, fields: ['n'] })}`
      ),
      { body: [{ n: 118 }, { n: 117 }] }
    )
    t.match(
      await send(
        'GET',
        `/Books?${filterText({ where: { text: { regexp: 'b' } }, order: 'id DESC', limit: 2, fields: ['n'] })}`
      ),
      { body: [{ n: 119 }, { n: 118 }] }
    )
    t.match(
      await send(
        'GET',
        `/Books?${filterText({ where: { text: { regexp: 'b' } }, skip: 100, limit: 3, fields: ['n'] })}`
      ),
      { body: [{ n: 100 }, { n: 101 }, { n: 102 }] }
    )
    const changed = await send('POST', `/Books/update?${whereText({ title: { regexp: '^title 2.$' } })}`, {
      json: { n: 1000 }
    })
    t.match(changed, { body: { count: 10 } })
    await found({ n: 1000 }, 10)
  })

  t.test('S-74 a costly request gives the event loop back while it goes on', async t => {
    // Seen to fail: Work.isDue always false
    const options = asRemote({})
    const expensive = { text: { regexp: slow } }
    for (const [what, ask] of Object.entries<() => Promise<unknown>>({
      list: () => Book.find({ where: expensive }, options),
      'in another order': () => Book.find({ where: expensive, order: ['meta.a.c', 'title DESC'] }, options),
      count: () => Book.count(expensive, options),
      include: () => Author.find({ include: { relation: 'books', scope: { where: expensive } } }, options)
    })) {
      let turns = 0
      let counting = setImmediate(function count () {
        turns++
        counting = setImmediate(count)
      })
      await t.rejects(ask(), { code: 'QUERY_TOO_EXPENSIVE' })
      clearImmediate(counting)
      // 2,000,000 units, of which a turn has 250,000.
      t.ok(turns >= 7, `${what}: ${turns} turns`)
    }
    const [refused, ...others] = await Promise.all([
      send('GET', `/Books?${filterText({ where: expensive })}`),
      ...Array.from({ length: 5 }, () => send('GET', '/Authors/count'))
    ])
    t.match(refused, { status: 400 })
    t.match(others, others.map(() => ({ status: 200 })))
  })

  t.test('S-74 work for a client that has gone ends', async t => {
    // Seen to fail: Work.renew of core/query/work.ts without looking at the caller
    for (const gone of [{ aborted: true }, { aborted: false, socket: { destroyed: true } }]) {
      const caller: Caller = {}
      const options = asRemote({ [CALLER]: caller })
      const asked = [
        Book.find({ where: { text: { regexp: slow } } }, options),
        Book.count({ text: { regexp: slow } }, options),
        Book.find({ where: { text: { regexp: slow } }, order: 'meta.a' }, options)
      ]
      Object.assign(caller, gone)
      await Promise.all(asked.map(async each => { await t.rejects(each, { statusCode: 499, code: 'CLIENT_GONE' }) }))
    }
  })
})

await onEvery(async (t, server) => {
  const { send } = server
  const { Author, Book, Genre, Picture, Note, Staff } = models(server)
  const [ann, ben] = await Author.create([{ name: 'ann' }, { name: 'ben' }]) as unknown as Array<{ id: number }>
  const [first, second] = await Book.create([
    { title: 'one', authorId: ann?.id }, { title: 'two', authorId: ann?.id }
  ]) as unknown as Array<{ id: number, genres: { add (genre: unknown): Promise<void> } }>
  const genre = await Genre.create({ name: 'g' })
  for (const book of [first, second]) await book?.genres.add(genre)
  await Picture.create([
    { file: 'a', imageableType: 'Author', imageableId: ann?.id },
    { file: 'b', imageableType: 'Book', imageableId: first?.id }
  ])
  const boss = await Staff.create({ name: 'boss' }) as { id: number }
  await Staff.create({ name: 'one', bossId: boss.id })

  t.test('S-75 an include does not lead back over the inverse of a relation more than once', async t => {
    // Seen to fail: before this change; and refuseSecondReturn of core/query/include-path.ts that returns at once
    const circles: Array<[path: string, include: unknown]> = [
      ['/Authors', { books: { author: 'books' } }],
      ['/Authors', { books: { author: { books: 'author' } } }],
      ['/Authors', { newest: { writer: 'books' } }],
      [
        '/Authors',
        [{ relation: 'books', scope: { include: [{ relation: 'writer', scope: { include: ['newest'] } }] } }]
      ],
      ['/Authors', { rel: 'books', scope: { include: 'author', where: { title: 'none' } } }],
      ['/Books', { author: { books: 'author' } }],
      ['/Books', { genres: { books: 'genres' } }],
      ['/Books', ['author', { genres: { books: { genres: 'books' } } }]],
      ['/Authors', { pictures: { imageable: 'pictures' } }],
      ['/Pictures', { imageable: { pictures: 'imageable' } }],
      ['/Books', { pictures: { imageable: { pictures: 'imageable' } } }],
      ['/Staff', { reports: { boss: 'reports' } }],
      ['/Staff', { boss: { reports: 'boss' } }],
      ['/Staff', { reports: { reports: { boss: { reports: 'boss' } } } }]
    ]
    // The fifth leads back once only: it is there to be answered.
    for (const [i, [path, include]] of circles.entries()) {
      const wanted = i === 4 ? { status: 200 } : refusedFor('returns')
      for (const route of ['', '/findOne']) {
        const answer = await send('GET', `${path}${route}?${filterText({ include })}`)
        t.match(answer, wanted, `${path}${route} ${JSON.stringify(include)} ${answer.text.slice(0, 100)}`)
      }
    }
    const circle = { include: { author: { books: 'author' } } }
    for (const path of [`/Books/${first?.id}`, `/Authors/${ann?.id}/books`, '/Books/long']) {
      t.match(await send('GET', `${path}?${filterText(circle)}`), refusedFor('returns'), path)
      t.match(await send('GET', `${path}?${brackets(circle)}`), refusedFor('returns'), path)
    }
  })

  t.test('S-75 there and back once, and on in the same direction, is answered', async t => {
    // Seen to fail: refuseSecondReturn of core/query/include-path.ts with returns.length > 0
    const answered = async (path: string, filter: object, body: unknown): Promise<void> => {
      t.match(
        await send('GET', `${path}?${filterText(filter)}`),
        { status: 200, body },
        `${path} ${JSON.stringify(filter)}`
      )
    }
    await answered('/Authors', { include: { books: 'author' }, limit: 1 }, [
      { books: [{ author: { name: 'ann' } }, {}] }
    ])
    await answered('/Books', { include: { author: 'books' }, limit: 1 }, [
      { author: { books: [{ title: 'one' }, { title: 'two' }] } }
    ])
    await answered('/Books', { include: { genres: 'books' }, limit: 1 }, [
      { genres: [{ books: [{ title: 'one' }, { title: 'two' }] }] }
    ])
    await answered('/Pictures', { include: { imageable: 'pictures' } }, [
      { imageable: { name: 'ann', pictures: [{ file: 'a' }] } },
      { imageable: { title: 'one' } }
    ])
    await answered('/Authors', { include: { pictures: 'imageable' }, limit: 1 }, [
      { pictures: [{ imageable: { name: 'ann' } }] }
    ])
    await answered('/Staff', { include: { reports: { reports: 'reports' } }, limit: 1 }, [
      { reports: [{ name: 'one', reports: [] }] }
    ])
    await answered('/Staff', { include: { boss: { boss: 'boss' } }, where: { name: 'one' } }, [
      { boss: { name: 'boss' } }
    ])
    await answered('/Books', { include: ['author', { genres: 'books' }, { pictures: 'imageable' }], limit: 1 }, [
      { author: {}, genres: [{ books: [{}, {}] }], pictures: [{ imageable: {} }] }
    ])
    t.equal(
      (await Author.find({ include: { books: { author: { books: { author: 'books' } } } } })).length,
      2,
      'code in the process is not bound'
    )
  })

  t.test('S-75 rows of an answer are bounded, included ones as often as they stand in it', async t => {
    // Seen to fail: before this change; Work.mustHold without its check (rows), weigh() of core/query/weight.ts that
    // returns at once (included ones)
    await Book.create(Array.from({ length: 148 }, (_, i) => ({ title: `title ${i}`, authorId: ben?.id })))
    t.match(await send('GET', '/Books'), { status: 200, body: { length: 150 } }, 'as many as there may be')
    await Book.create({ title: 'one more', authorId: ben?.id })
    const refused = refusedFor('rows')
    for (const filter of [
      {},
      { limit: 0 },
      { limit: 1000 },
      { where: { title: { neq: 'none' } } },
      { order: 'title' },
      { fields: ['id'] },
      { where: { title: { regexp: '.' } } },
      { order: 'meta.a' },
      { limit: 149, include: 'author' },
      { limit: 60, include: ['author', 'writer'] },
      { limit: 50, include: { author: 'notes', writer: 'newest' } }
    ]) {
      const answer = await send('GET', `/Books?${filterText(filter)}`)
      t.match(answer, refused, `${JSON.stringify(filter)} ${answer.text.slice(0, 100)}`)
      t.match(answer.text, /limit/)
    }
    for (const path of [
      '/Authors?filter[include]=books',
      `/Authors/${ben?.id}?filter[include][books]=writer`,
      '/Authors?filter[include][books]=writer',
      `/Authors/${ben?.id}/books?filter[include]=writer`
    ]) {
      const answer = await send('GET', path)
      t.match(answer, refused, `${path} ${answer.text.slice(0, 100)}`)
    }
    t.match(await send('GET', `/Authors/${ben?.id}?filter[include]=books`), {
      status: 200,
      body: { books: { length: 149 } }
    })
    t.match(await send('GET', `/Authors/${ben?.id}/books`), { status: 200, body: { length: 149 } })
    t.match(await send('GET', `/Books?${filterText({ limit: 150 })}`), { status: 200, body: { length: 150 } })
    t.match(await send('GET', `/Books?${filterText({ limit: 75, include: 'author' })}`), {
      status: 200,
      body: { length: 75 }
    })
    t.match(await send('GET', `/Books?${filterText({ skip: 100, limit: 100 })}`), { status: 200, body: { length: 51 } })
    const page = async (scope: object): Promise<unknown> =>
      (
        await send(
          'GET',
          `/Authors?${filterText({ where: { id: { inq: [ann?.id, ben?.id] } }, include: { relation: 'books', scope } })}`
        )
      ).body
    // Seen to fail: findPagesAmong of core/relations/find-among.ts that is findAmong (400), and with the limit of a key
    // in place of skip and limit
    t.match(
      await page({ limit: 2 }),
      [{ books: { length: 2 } }, { books: { length: 2 } }],
      'small pages of a long list'
    )
    t.match(await page({ limit: 3, skip: 140, order: 'title DESC', fields: ['title'] }), [
      { books: [] },
      { books: { length: 3 } }
    ])
    t.same(
      await page({ limit: 200, skip: 1, where: { title: { like: 'title 1_' } }, order: 'title' }).then(found =>
        (found as Row[]).map(({ books }) => (books as Row[]).map(each => each.title))
      ),
      [[], Array.from({ length: 9 }, (_, i) => `title 1${i + 1}`)]
    )
    t.match(await send('GET', '/Books/count'), { body: { count: 151 } }, 'counting takes no rows')
    t.match(await send('POST', '/Books/update?where={}', { json: { n: 1 } }), { body: { count: 151 } })
    // Seen to fail: #remember of core/changes/change-feed.ts with the request's budget as it is
    const changes = await Book.createChangeStream()
    t.match(
      await send('POST', '/Books/update?where={}', { json: { n: 2 } }),
      { body: { count: 151 } },
      'rows that are read to tell of their change come into no response'
    )
    changes.destroy()
    t.equal((await Book.find()).length, 151, 'code in the process is not bound')
  })

  t.test('S-75 an answer is bounded by its size', async t => {
    // Seen to fail: before this change; Work.read and Work.write without their checks, weigh() of core/query/weight.ts
    // without bytes
    await Book.destroyAll({ authorId: ben?.id })
    await Author.create(Array.from({ length: 110 }, (_, i) => ({ name: `author ${i}`, bio: letters(1000) })))
    const refused = refusedFor('bytes')
    for (const filter of [
      {},
      { order: 'name' },
      { order: 'bio DESC', limit: 120 },
      { where: { bio: { regexp: '^[ab]' } } },
      { include: 'books' }
    ]) {
      const answer = await send('GET', `/Authors?${filterText(filter)}`)
      t.match(answer, refused, `${JSON.stringify(filter)} ${answer.text.slice(0, 100)}`)
    }
    const [long] = await Author.create([{ name: 'long', bio: letters(5000) }]) as unknown as Array<{ id: number }>
    await Book.create(Array.from({ length: 30 }, () => ({ title: 'of the long one', authorId: long?.id })))
    for (const include of ['author', ['writer'], { author: 'pictures' }]) {
      t.match(
        await send('GET', `/Books?${filterText({ where: { authorId: long?.id }, include })}`),
        refused,
        `the same row thirty times: ${JSON.stringify(include)}`
      )
    }
    t.match(await send('GET', `/Books?${filterText({ where: { authorId: long?.id }, include: 'author', limit: 5 })}`), {
      status: 200,
      body: { length: 5 }
    })
    t.match(
      await send('GET', `/Authors?${filterText({ fields: ['name'] })}`),
      { status: 200, body: { length: 113 } },
      'less of each'
    )
    t.match(await send('GET', `/Authors?${filterText({ limit: 50 })}`), { status: 200, body: { length: 50 } })
  })

  t.test('S-75 the largest page of a model holds for its rows in an include', async t => {
    // Seen to fail: before this change; checkPage and mustFitPage of core/query/parse-page.ts each without its check
    await Note.create([
      ...Array.from({ length: 5 }, () => ({ text: 'x', authorId: ann?.id })),
      ...Array.from({ length: 3 }, () => ({ text: 'y', authorId: ben?.id }))
    ])
    const of = (scope: object, id = ann?.id): string =>
      `/Authors?${filterText({ where: { id }, include: { relation: 'notes', scope } })}`
    t.match(await send('GET', of({})), { status: 200, body: [{ notes: { length: 5 } }] }, 'as many as a page may have')
    await Note.create({ text: 'one more', authorId: ann?.id })
    const refused = { status: 400, code: 'QUERY_LIMIT_EXCEEDED' }
    for (const path of [
      of({}),
      of({ limit: 6 }),
      of({ limit: 1000 }),
      of({ where: { text: { neq: 'none' } } }),
      of({ order: 'id DESC' }),
      '/Authors?filter[limit]=2&filter[include]=notes',
      `/Authors/${ann?.id}?filter[include]=notes`,
      '/Books?filter[include][author]=notes',
      of({ limit: 100 }, -1)
    ]) {
      const answer = await send('GET', path)
      t.match(answer, refused, `${decodeURIComponent(path)} ${answer.text.slice(0, 100)}`)
    }
    t.match(await send('GET', of({ limit: 5 })), { status: 200, body: [{ notes: { length: 5 } }] })
    t.match(await send('GET', of({ limit: 2, skip: 1 })), { status: 200, body: [{ notes: { length: 2 } }] })
    t.match(await send('GET', of({}, ben?.id)), { status: 200, body: [{ notes: { length: 3 } }] })
    t.match(
      await send(
        'GET',
        `/Authors?${filterText({ where: { id: { inq: [ann?.id, ben?.id] } }, include: { relation: 'notes', scope: { limit: 4 } } })}`
      ),
      { status: 200, body: [{ notes: { length: 4 } }, { notes: { length: 3 } }] }
    )
    t.match(await send('GET', '/Notes'), refused, 'as in its own lists')
  })
})
