/** Queries: S-20 to S-25. */
import type { Test } from 'tap'
import { brackets, filterText, onEveryStore, type Answer, type Attacked } from './harness.js'

const long = 'a'.repeat(30)

async function seed ({ models: { Person, Letter } }: Attacked): Promise<void> {
  await Person?.create([
    { name: 'ann', age: 40, tags: ['x', 'y'], born: new Date('2001-01-01') },
    { name: 'ben', age: 20, bossId: 1 },
    { name: `${long}!`, age: 8, meta: { a: 1 } }
  ])
  await Letter?.create([{ text: 'one', personId: 1 }, { text: 'two', personId: 2 }])
}

/** JSON text in a query, as short as it can be. */
const raw = (name: string, text: string): string =>
  `${name}=${text.replaceAll(/[%#&+\s\\^`|<>\u007f-\uffff]/g, encodeURIComponent)}`

/** For names of assertions, which TAP wants in plain characters. */
const shown = (value: unknown): string => encodeURI(JSON.stringify(value))

await onEveryStore('guarded', async (t, server) => {
  const { send, rows, models: { Person } } = server
  await seed(server)
  const before = await rows('Person', 'Letter')
  const refused = async (t: Test, path: string, code?: string | RegExp): Promise<void> => {
    const answer = await send('GET', path)
    t.match(
      answer,
      { status: 400, ...(code === undefined ? {} : { code }) },
      `${decodeURIComponent(path).slice(0, 200)} ${answer.status === 400 ? '' : answer.text.slice(0, 200)}`
    )
  }
  const writesNothing = async (t: Test, where: string, what = where): Promise<void> => {
    for (const path of ['/People/update', '/People/upsertWithWhere']) {
      const { status, text } = await send('POST', `${path}?${where}`, { json: { name: 'taken' } })
      t.equal(status, 400, `${path} ${decodeURIComponent(what)} ${text.slice(0, 200)}`)
    }
    if (await rows('Person', 'Letter') !== before) t.fail(`something changed: ${decodeURIComponent(what)}`)
  }

  t.test('S-20 P-07 nothing of the client\'s JSON gets past the parser: operators are from the closed list', async t => {
    // Seen to fail: plainOperator of core/query/extended-operators.ts took every name behind a $
    for (const where of [
      { $where: '1' },
      { $or: [{}] },
      { $and: [] },
      { name: { $gt: '' } },
      { name: { $ne: null } },
      { name: { $regex: '.*' } },
      { and: [{ age: { $gt: 0 } }] },
      { meta: { $gt: 1 } },
      { meta: { a: { $exists: true } } },
      { 'meta.$a': 1 },
      { tags: { $in: ['x'] } },
      { name: { gt: '', $ne: 'x' } },
      { name: { inq: ['x'], $options: 'i' } },
      { $expr: {} }
    ]) {
      await refused(t, `/People?${filterText({ where })}`, 'OPERATOR_NOT_ALLOWED_IN_QUERY')
      await writesNothing(t, filterText(where, 'where'))
    }
    for (const condition of [
      { foo: 1 },
      { toString: 'x' },
      { valueOf: 1 },
      { then: 1 },
      { hasOwnProperty: 'x' },
      { gt: '', foo: 1 },
      { length: 1 },
      {},
      { and: [] },
      { like: 'x', regexp: 'x', other: 1 },
      { options: 'i' }
    ]) {
      await refused(t, `/People?${filterText({ where: { name: condition } })}`)
      await writesNothing(t, filterText({ name: condition }, 'where'))
    }
  })

  t.test('S-20 nothing of the client\'s JSON gets past the parser: names that reach a prototype', async t => {
    // Seen to fail: isPrototypeKey of core/query/guard-input.ts gave false
    for (const name of [
      '__proto__',
      'constructor',
      'prototype',
      '\\u005f_proto__',
      'meta.__proto__',
      'meta.constructor.prototype',
      '__proto__.polluted',
      'tags.constructor'
    ]) {
      for (const where of [
        `{"${name}":"x"}`,
        `{"${name}":{"polluted":true}}`,
        `{"and":[{"or":[{"${name}":{"neq":"x"}}]}]}`,
        `{"meta":{"a":{"${name}":{"prototype":1}}}}`
      ]) {
        await refused(t, `/People?${raw('filter', `{"where":${where}}`)}`)
        await writesNothing(t, raw('where', where))
      }
      await refused(t, `/People?${raw('filter', `{"order":"${name} DESC"}`)}`)
      await refused(t, `/People?${raw('filter', `{"${name}":{"where":{"prototype":1}}}`)}`)
      await refused(t, `/People?${raw('filter', `{"include":{"${name}":"x"}}`)}`)
    }
    await writesNothing(t, 'where[constructor][prototype][x]=1')
    await writesNothing(t, 'where[__proto__][name]=ann')
    await writesNothing(t, 'where[%5F_pro%74o__][name]=ann')
    await writesNothing(t, '__proto__[where][name]=ann')
    await refused(t, '/People?filter[where][__proto__][name]=x')
    await refused(t, '/People/count?where[__proto__][name]=x')
    await refused(t, '/People/1/letters?filter[where][__proto__][name]=x')
    t.notOk('polluted' in {})
    t.notOk('name' in {})
  })

  t.test('S-20 nothing of the client\'s JSON gets past the parser: lists are lists', async t => {
    // Seen to fail: asList of core/query/parse-context.ts took everything with a length
    for (const list of [
      { length: 2 },
      { length: 1, 0: 'ann' },
      { 0: 'ann', 2: 'ben' },
      { 1: 'ann' },
      'ann',
      5,
      true,
      null,
      { a: 'ann' },
      { '-1': 'ann' },
      {},
      { '00': 'ann' }
    ]) {
      for (const where of [
        { name: { inq: list } },
        { name: { nin: list } },
        { name: { between: list } },
        { and: list },
        { or: list },
        { nor: list }
      ]) {
        await refused(t, `/People?${filterText({ where })}`)
        await writesNothing(t, filterText(where, 'where'))
      }
    }
    for (const list of [['a'], ['a', 'b', 'c'], []]) {
      await refused(t, `/People?${filterText({ where: { name: { between: list } } })}`)
    }
    for (const branch of ['x', 1, null, true, ['x'], [[]]]) {
      for (const kind of ['and', 'or', 'nor']) {
        await refused(t, `/People?${filterText({ where: { [kind]: [branch] } })}`)
      }
    }
    for (const where of ['ann', 5, true, [], [{ name: 'ann' }], '{"name":"ann"}']) {
      await refused(t, `/People?${filterText({ where })}`)
    }
    t.same(
      (await send('GET', '/People?filter[where][name][inq][0]=ann&filter[fields]=name')).body,
      [{ name: 'ann' }],
      'keys 0, 1, … are a list'
    )
  })

  t.test('S-20 nothing of the client\'s JSON gets past the parser: values have the property\'s type', async t => {
    // Seen to fail: toQueryNumber of core/properties/coerce-query-value.ts with parseFloat
    const found = async (where: object): Promise<unknown> =>
      (await send('GET', `/People/count?${filterText(where, 'where')}`)).body
    t.same(await found({ age: '40' }), { count: 1 })
    for (const value of [
      '40x',
      'abc',
      ['40'],
      [40],
      [[40]],
      '',
      ' ',
      '4 0',
      '[40]',
      '{"gt":0}',
      'Infinity',
      '1e400',
      '0x'
    ]) {
      const answer = (await found({ age: value })) as { count?: number; error?: { statusCode: number } }
      t.ok(
        answer.count === 0 || answer.error?.statusCode === 400,
        `age: ${JSON.stringify(value)} ${JSON.stringify(answer)}`
      )
    }
    for (const value of ['x', 'not a date', {}, [], '2001-13-45', '2001-02-30', 'Invalid Date', 1e300]) {
      for (const where of [{ born: value }, { born: { gt: value } }, { born: { neq: value } }]) {
        const answer = await found(where) as { count?: number, error?: { statusCode: number } }
        t.ok(
          answer.count === 0 || answer.error?.statusCode === 400,
          `${JSON.stringify(where)} ${JSON.stringify(answer)}`
        )
      }
    }
    for (const where of [
      { name: { like: 5 } },
      { name: { like: ['%'] } },
      { name: { like: {} } },
      { age: { like: '%' } },
      { born: { regexp: '.' } },
      { name: { regexp: { source: '.*' } } },
      { age: { gt: {} } },
      { age: { lt: [1] } },
      { name: { exists: 'maybe' } },
      { name: { like: 'x', options: 'xx' } },
      { name: { regexp: 'x', options: { i: 1 } } },
      { name: { near: '1,2' } }
    ]) {
      const answer = (await found(where)) as { count?: number; error?: { statusCode: number } }
      t.ok(answer.error?.statusCode === 400 || answer.count === 0, `${JSON.stringify(where)} ${JSON.stringify(answer)}`)
    }
    t.same(await found({ meta: { a: 1 } }), { count: 1 }, 'free-form properties may hold objects')
  })

  t.test('S-21 P-08 what a client sends is bound, never SQL: values, names, NUL and escapes', async t => {
    // Seen to fail: form() of connector-sql/query/comparison.ts wrote a literal in place of each bound value (SQLite)
    const texts = [
      "'",
      '"',
      "' OR '1'='1",
      '" OR 1=1 --',
      '\'; DROP TABLE "Person"; --',
      '\\',
      "\\'",
      '%',
      '_',
      '\0',
      "a\0'b",
      '?',
      '?1',
      ':a',
      '$1',
      '`',
      ';',
      '--',
      '/*',
      '\n',
      '\u2028',
      '💥',
      '\\%',
      '||',
      "x' UNION SELECT * FROM Person --"
    ]
    const ids: unknown[] = []
    for (const text of texts) {
      const made = await send('POST', '/Bags', { json: { name: text, [`extra ${text}`]: text } })
      t.equal(made.status, 200)
      ids.push((made.body as { id: number }).id)
      const same = { name: text, id: ids.at(-1) }
      const escaped = text.replaceAll(/[\\%_]/g, '\\$&')
      for (const where of [
        { name: text },
        { name: { inq: [text] } },
        { name: { like: escaped } },
        { name: { ilike: escaped } },
        { name: { between: [text, text] } },
        { and: [{ name: text }, { [`extra ${text}`]: text }] },
        { [`extra ${text}`]: { inq: [text] } },
        { or: [{ name: { like: escaped } }] }
      ]) {
        if (Object.keys(where).some(key => /\.|[\0]/.test(key)) || JSON.stringify(where).includes('.":')) continue
        const { body } = await send('GET', `/Bags?${filterText({ where })}`)
        t.match(body, [same], shown(where))
        t.equal((body as unknown[]).length, 1, shown(where))
      }
      for (const where of [{ name: { neq: text } }, { name: { nin: [text] } }]) {
        const { body } = await send('GET', `/Bags/count?${filterText(where, 'where')}`)
        t.same(body, { count: ids.length - 1 }, shown(where))
      }
      const { status } = await send('GET', `/Bags?${filterText({ order: `${text.replaceAll(/[\s,.]/g, '')}x DESC` })}`)
      t.ok(status === 200 || status === 400, `an order by a name that is none: ${status}`)
      t.equal(
        (await send('POST', `/Bags/update?${filterText({ name: text }, 'where')}`, { json: { name: `${text}.` } }))
          .text,
        '{"count":1}'
      )
      t.match((await send('GET', `/Bags/${String(ids.at(-1))}`)).body, { name: `${text}.` })
    }
    t.same((await send('GET', '/Bags/count')).body, { count: texts.length }, 'as many as were made')
    t.equal(await rows('Person', 'Letter'), before)
  })

  t.test('S-21 limit and skip are whole numbers within 2³¹−1', async t => {
    // Seen to fail: whole() of core/query/parse-page.ts without its bounds
    for (const name of ['limit', 'skip', 'offset']) {
      for (const value of [
        -1,
        1.5,
        2 ** 31,
        2 ** 53,
        1e300,
        '1e3',
        '-1',
        '0x10',
        '1;--',
        '1 OR 1',
        'abc',
        [],
        [1],
        {},
        { gt: 0 },
        true,
        '１',
        '2147483648',
        '99999999999999999999'
      ]) { await refused(t, `/People?${filterText({ [name]: value })}`) }
      await refused(t, `/People?filter[${name}]=1%20--`)
      await refused(t, `/People?filter[${name}][gt]=0`)
      await refused(t, `/People?${raw('filter', `{"${name}":1e400}`)}`)
      await refused(t, `/People?${filterText({ include: { relation: 'letters', scope: { [name]: -1 } } })}`)
      t.equal((await send('GET', `/People?${filterText({ [name]: 2 ** 31 - 1 })}`)).status, 200)
    }
  })

  t.test('S-22 P-09 patterns take linear time', async t => {
    // Seen to fail: compileRegExp of core/query/regexp.ts with JavaScript's RegExp: the server no longer answers
    const quickly = async (where: object, wanted?: object): Promise<void> => {
      const started = process.cpuUsage()
      const answer = await send('GET', `/People?${filterText({ where, fields: ['age'] })}`)
      const { user, system } = process.cpuUsage(started)
      const took = (user + system) / 1000
      t.ok(took < 3_000, `${JSON.stringify(where).slice(0, 100)}: ${Math.round(took)} ms of the processor`)
      if (wanted !== undefined) t.match(answer.body, wanted, JSON.stringify(where).slice(0, 100))
      else t.ok(answer.status === 400 || answer.status === 200, `${JSON.stringify(where).slice(0, 100)} ${answer.text}`)
    }
    await Person?.create({ name: `${'a'.repeat(20_000)}!`, age: 1 })
    for (const regexp of [
      '^(a+)+$',
      '^(a|aa)+$',
      '^(a|a)*$',
      '^([a-z]+)*$',
      '/^(a+)+$/i',
      '^(.*a){12}$',
      '^(a?){40}a{40}$',
      '(a*)*b',
      '(\\w+\\s?)+\\?$'
    ]) { await quickly({ name: { regexp } }) }
    for (const regexp of [
      '(a)\\1',
      '(?=a)b',
      '(?<!a)b',
      '(?!x)^a',
      '(',
      '[',
      'a{1000}{1000}',
      '(?:a{100}){100}',
      '\\'
    ]) {
      await quickly({ name: { regexp } })
    }
    for (const like of [
      `${'%a'.repeat(120)}b`,
      `${'%_'.repeat(100)}%b`,
      `${'a%'.repeat(120)}b`,
      `%${'_%'.repeat(120)}\\`
    ]) { for (const operator of ['like', 'ilike']) await quickly({ name: { [operator]: like } }) }
    await quickly({ name: { regexp: '^b.n$' } }, [{ age: 20 }])
    await quickly({ name: { like: 'b_n' } }, [{ age: 20 }])
    t.same(
      (await send('GET', `/People?${filterText({ where: { name: { like: 'b.n' } } })}`)).body,
      [],
      'a pattern of like is no regular expression'
    )
    t.same((await send('GET', `/People?${filterText({ where: { name: { like: '.*' } } })}`)).body, [])
    for (const operator of ['like', 'nlike', 'ilike', 'nilike', 'regexp']) {
      t.match(
        await send('GET', `/People?${filterText({ where: { name: { [operator]: 'b'.repeat(257) } } })}`),
        { status: 400, code: 'QUERY_LIMIT_EXCEEDED' },
        operator
      )
      const longest = await send('GET', `/People?${filterText({ where: { name: { [operator]: 'b'.repeat(256) } } })}`)
      // A program of this size on a text of 20,000 characters is more than one turn may take (S-74).
      t.match(longest, operator === 'regexp' ? { status: 400, code: 'QUERY_TOO_EXPENSIVE' } : { status: 200 }, operator)
    }
    t.match(
      await send(
        'GET',
        `/People?${filterText({ include: { relation: 'letters', scope: { where: { text: { regexp: 'x'.repeat(257) } } } } })}`
      ),
      { status: 400 }
    )
    await (Person as { destroyAll (where: object): Promise<unknown> }).destroyAll({ age: 1 })
  })

  t.test('S-23 bounds: what is within passes, one more is a 400 that names the limit', async t => {
    // Seen to fail: checkLimit of core/query/parse-context.ts refused nothing
    const many = <T>(n: number, item: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => item(i))
    const nested = (levels: number): object => levels === 0 ? { age: 1 } : { and: [nested(levels - 1)] }
    const bosses = (levels: number): unknown => levels === 1 ? 'boss' : { boss: bosses(levels - 1) }
    const cases: Array<[what: string, limit: number, filter: (n: number) => unknown]> = [
      ['and/or branches', 500, n => ({ where: { or: many(n, () => ({})) } })],
      [
        'branches within branches',
        500,
        n => ({ where: { or: [{ and: many(n - 101, () => ({})) }, ...many(100, () => ({}))] } })
      ],
      ['inq values', 5000, n => ({ where: { age: { inq: many(n, () => 1) } } })],
      [
        'inq values of two lists',
        5000,
        n => ({ where: { or: [{ age: { inq: many(2500, () => 1) } }, { age: { nin: many(n - 2500, () => 1) } }] } })
      ],
      ['order terms', 20, n => ({ order: many(n, () => 'age') })],
      ['order terms of one text', 20, n => ({ order: many(n, () => 'age').join() })],
      ['fields', 200, n => ({ fields: many(n, i => `f${i}`) })],
      ['fields of an object', 200, n => ({ fields: Object.fromEntries(many(n, i => [`f${i}`, true])) })],
      ['include nodes', 50, n => ({ include: many(n, () => 'boss') })],
      [
        'include nodes on two levels',
        50,
        n => ({ include: [...many(20, () => 'boss'), { boss: many(n - 21, () => 'letters') }] })
      ],
      ['levels of include', 8, n => ({ include: bosses(n) })],
      ['parts of a path', 10, n => ({ where: { [`meta${'.a'.repeat(n - 1)}`]: 1 } })],
      ['parts of a path to order by', 10, n => ({ order: `meta${'.a'.repeat(n - 1)}` })],
      ['keys', 1000, n => ({ where: Object.fromEntries(many(n - 1, i => [`k${i}`, 1])) })]
    ]
    for (const [what, limit, filter] of cases) {
      const within = await send('GET', `/People?${raw('filter', JSON.stringify(filter(limit)))}`)
      t.equal(within.status, 200, `${limit} ${what} ${within.text.slice(0, 200)}`)
      const beyond = await send('GET', `/People?${raw('filter', JSON.stringify(filter(limit + 1)))}`)
      t.match(
        beyond,
        { status: 400, code: 'QUERY_LIMIT_EXCEEDED', text: new RegExp(`\\b${limit}\\b`) },
        `${limit + 1} ${what} ${beyond.text.slice(0, 200)}`
      )
    }
    t.equal((await send('GET', `/People?${filterText({ where: nested(5) })}`)).status, 200)
    t.match(await send('GET', `/People?${filterText({ where: nested(6) })}`), {
      status: 400,
      code: 'QUERY_OBJECT_TOO_DEEP',
      text: /\b12\b/
    })
    t.match(await send('GET', `/People/count?${filterText(nested(7), 'where')}`), {
      status: 400,
      code: 'QUERY_OBJECT_TOO_DEEP'
    })
    t.match(
      await send(
        'GET',
        `/People?${filterText({ where: { meta: JSON.parse(`${'{"a":'.repeat(13)}1${'}'.repeat(13)}`) } })}`
      ),
      { status: 400, code: 'QUERY_OBJECT_TOO_DEEP' }
    )
    t.equal((await send('GET', `/People?${many(999, i => `p${i}=1`).join('&')}&filter[limit]=1`)).status, 200)
    t.match(await send('GET', `/People?${many(1000, i => `p${i}=1`).join('&')}&filter[limit]=1`), {
      status: 400,
      text: /1000/
    })
    t.ok((await send('GET', `/People?filter={"where":{"name":"${'x'.repeat(15_000)}"}}`)).status === 200)
    t.ok(
      [400, 414, 431].includes(
        (await send('GET', `/People?filter={"where":{"name":"${'x'.repeat(16_400)}"}}`).catch(() => ({ status: 431 })))
          .status
      ),
      '16 kB of filter'
    )
    const { body } = await send(
      'GET',
      `/People?${filterText({ where: { id: 2 }, include: ['boss', 'boss', { boss: 'letters' }, { relation: 'boss', scope: { include: ['letters', 'letters'] } }] })}`
    )
    t.match(body, [{ boss: { letters: [{ text: 'one' }] } }], 'equal includes are one')
    t.equal(
      (await send('GET', `/People/1/letters?${filterText({ where: { or: many(501, () => ({})) } })}`)).status,
      400,
      'in relations as well'
    )
    t.equal(
      (
        await send(
          'GET',
          `/People?${filterText({ include: { relation: 'letters', scope: { where: { or: many(501, () => ({})) } } } })}`
        )
      ).status,
      400,
      'and in scopes of include'
    )
    t.equal(
      (await send('GET', `/People/change-stream?${filterText({ where: { or: many(501, () => ({})) } }, 'options')}`))
        .status,
      400,
      'and in streams'
    )
  })

  t.test('S-24 P-10 what is not a condition never means all rows', async t => {
    // Seen to fail: isAlwaysTrue of core/query/always-true.ts gave false
    for (const where of [
      '',
      'where=',
      'where',
      'where=null',
      'where=undefined',
      'where=%20',
      'where=[]',
      'where=[{}]',
      'where=""',
      'where=true',
      'where=1',
      'where={',
      'where={}&where={}',
      'where[]=',
      'where[]={}',
      'where[0]=x',
      'Where={}',
      'wherE={"id":1}',
      'filter={"where":{}}',
      'where[__proto__]=x',
      'where[__proto__][id]=1',
      'where=a,b'
    ]) { await writesNothing(t, where) }
    for (const where of [
      { and: [] },
      { nor: [] },
      { or: [{}] },
      { and: [{}] },
      { and: [{ and: [] }] },
      { nor: [{ or: [] }] },
      { name: { nin: [] } },
      { and: [{ age: { nin: [] } }, {}] },
      { name: {} },
      { age: { neq: 'abc' } },
      { age: { neq: {} } },
      { age: { nin: ['abc'] } },
      { nor: [{ age: 'abc' }] },
      { nor: [{ age: { inq: ['abc'] } }] },
      { nor: [{ and: [{ age: { gt: 'abc' } }] }] },
      { born: { neq: 'x' } },
      { name: { nlike: null } },
      { name: { like: null } },
      { and: null },
      { or: '' },
      { unknown: {} }
    ]) {
      const { status, text } = await send('POST', `/People/update?${filterText(where, 'where')}`, {
        json: { name: 'taken' }
      })
      t.ok(status === 400 || text === '{"count":0}', `${JSON.stringify(where)}: ${status} ${text.slice(0, 200)}`)
      t.equal(await rows('Person', 'Letter'), before, `nothing changed: ${JSON.stringify(where)}`)
    }
    for (const where of [
      { age: 'abc' },
      { age: { inq: [] } },
      { age: { inq: ['abc', {}] } },
      { age: { gt: null } },
      { or: [] },
      { name: ['ann', 'ben'] }
    ]) {
      t.match(
        await send('POST', `/People/update?${filterText(where, 'where')}`, { json: { name: 'taken' } }),
        { status: 200, text: '{"count":0}' },
        `none: ${JSON.stringify(where)}`
      )
    }
    t.equal(await rows('Person', 'Letter'), before)
    await send('POST', '/Groups', { json: { id: 'x', title: 'a' } })
    await send('POST', '/Groups', { json: { id: 'y', title: 'b' } })
    t.match(
      await send('POST', '/Groups/update?where={}', { json: { title: 'all' } }),
      { status: 200, text: '{"count":2}' },
      '{}, said in so many words, means all rows'
    )
    t.match(
      await send('POST', '/Groups/updateAsCaller', { json: { title: 'none' } }),
      { status: 400 },
      "code that hands on the caller's options is bound as the caller is"
    )
    t.match(await send('POST', '/Groups/removeAsCaller'), { status: 400 })
    t.same((await send('GET', '/Groups/count?where={"title":"all"}')).body, { count: 2 })
  })

  t.test('S-25 an argument is read from its declared source only', async t => {
    // Seen to fail: query() of rest/parse/input.ts looked at the headers first
    const filter = JSON.stringify({ where: { name: 'ann' } })
    const where = JSON.stringify({ name: 'ann' })
    const all = JSON.parse(before)[0].length as number
    const length = ({ body }: Answer): number => (body as unknown[]).length
    t.equal(
      length(
        await send('GET', '/People', {
          headers: { filter, where, 'x-filter': filter, cookie: `filter=${encodeURIComponent(filter)}` }
        })
      ),
      all,
      'a header'
    )
    t.equal(
      length(await send('GET', '/People', { json: { filter: JSON.parse(filter), where: { name: 'ann' } } })),
      all,
      'a body'
    )
    t.equal(
      length(
        await send('GET', '/People', {
          payload: `filter=${encodeURIComponent(filter)}`,
          type: 'application/x-www-form-urlencoded'
        })
      ),
      all,
      'a form'
    )
    t.equal(length(await send('GET', `/People?where=${encodeURIComponent(where)}`)), all, 'another argument')
    t.same((await send('GET', '/People/count', { headers: { where } })).body, { count: all })
    t.same((await send('GET', `/People/count?filter=${encodeURIComponent(filter)}`)).body, { count: all })
    t.equal(length(await send('GET', '/People/1/letters', { headers: { filter: '{"where":{"text":"none"}}' } })), 1)
    for (const path of ['/People/update', '/People/upsertWithWhere']) {
      t.equal(
        (await send('POST', path, { json: { name: 'taken', where: { name: 'ann' } }, headers: { where } })).status,
        400,
        `${path}: header and body`
      )
      t.equal(
        (await send('POST', `${path}?filter=${encodeURIComponent(filter)}`, { json: { name: 'taken' } })).status,
        400,
        `${path}: filter`
      )
    }
    t.same(
      (await send('POST', '/Tools/asked', { json: { filter: { where: 1 } }, headers: { filter } })).body,
      { filter: null },
      'a remote method whose argument is of the query'
    )
    t.same((await send('POST', `/Tools/asked?${brackets({ a: 'x' })}`)).body, { filter: { a: 'x' } })
    t.same(
      (await send('GET', '/Tools/echo', { headers: { text: 'x', number: '1' } })).body,
      { kinds: Array(7).fill('undefined') },
      'nor is any other argument taken from a header that did not declare it'
    )
    t.equal(await rows('Person', 'Letter'), before, 'nothing changed')
  })
})
