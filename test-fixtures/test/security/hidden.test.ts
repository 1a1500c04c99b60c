/** Hidden and protected properties: S-10 to S-13. */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { brackets, filterText, onEveryStore, type Attacked } from './harness.js'

/** Everything hidden has this in it. */
const secret = /hush-/

async function seed ({ models: { Person, Letter, Card, Group, Membership, Label } }: Attacked): Promise<void> {
  await Person?.create([
    {
      name: 'ann',
      age: 40,
      pin: 'hush-1',
      salary: 777001,
      places: [{ id: 1, street: 'High St', door: 'hush-door' }],
      friendIds: [2],
      spot: { id: 1, door: 'hush-spot' },
      rooms: [{ id: 1, door: 'hush-room' }],
      houses: [{ at: { id: 1, door: 'hush-house' }, rooms: 2 }]
    },
    { name: 'ben', age: 20, pin: 'hush-2', salary: 777002, bossId: 1 },
    { name: 'cid', age: 8, bossId: 1 }
  ])
  await Letter?.create([
    { text: 'one', personId: 1, secret: 'hush-a', draft: 'draft-1' },
    { text: 'two', personId: 1, secret: 'hush-b', draft: 'draft-2' },
    { text: 'three', personId: 2, secret: 'hush-c' }
  ])
  await Card?.create([{ number: '1', personId: 1, cvc: 'hush-cvc-1' }, { number: '2', personId: 2, cvc: 'hush-cvc-2' }])
  await Group?.create([{ id: 'a', title: 'A', code: 'hush-code' }])
  await Membership?.create([{ personId: 1, groupId: 'a', note: 'hush-note' }])
  await Label?.create([{ text: 'red' }])
}

/** Requests and the events that a change stream gave meanwhile. */
async function streaming (
  t: Test, { port }: Attacked, path: string, events: number, run: () => Promise<void>
): Promise<string> {
  let text = ''
  const request = get({ host: '127.0.0.1', port, path: `/api${path}`, headers: { accept: 'text/event-stream' } })
  await new Promise<void>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', response => {
      t.equal(response.statusCode, 200, path)
      response.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; resolve() }).on('error', () => {})
    })
  })
  await run()
  const arrived = (): number => text.split('event: data').length - 1
  for (let tries = 0; tries < 1500 && arrived() < events; tries++) await sleep(20)
  await sleep(50)
  request.on('error', () => {}).destroy()
  return text
}

await onEveryStore('guarded', async (t, server) => {
  const { send, logged, models: { Person } } = server
  await seed(server)

  t.test('S-10 P-05 no response carries a hidden value, whichever way the row came', async t => {
    // Seen to fail: compileStringify of core/properties/stringify.ts with all properties; nestedSecrets of
    // nested-models.ts gave false (SQLite)
    const everything = {
      include: [
        'card',
        'letters',
        'groups',
        'labels',
        { friends: [{ boss: ['card', 'letters'] }, 'card'] },
        { relation: 'boss', scope: { include: [{ reports: 'card' }, 'letters'] } },
        { reports: 'letters' }
      ]
    }
    const rejoined = { include: [{ person: ['boss', 'groups', { letters: 'person' }] }, 'group'] }
    const requests: Array<[verb: string, path: string, json?: unknown]> = [
      ['GET', '/People'],
      ['GET', `/People?${filterText(everything)}`],
      ['GET', `/People/1?${filterText(everything)}`],
      ['GET', `/People/findOne?${filterText(everything)}`],
      ['GET', `/People?${filterText({ fields: { name: false }, include: 'letters' })}`],
      ['GET', '/People/grown'],
      ['GET', `/People/grown?${filterText(everything)}`],
      ['GET', '/People/1/letters'],
      ['GET', '/People/1/letters/1'],
      ['GET', '/People/1/card'],
      ['GET', '/People/2/boss'],
      ['GET', '/People/1/groups'],
      ['GET', '/People/1/groups/a'],
      ['GET', '/People/1/friends'],
      ['GET', '/People/1/friends/2'],
      ['GET', '/People/1/addresses'],
      ['GET', '/People/1/addresses/1'],
      ['GET', '/People/1/reports'],
      ['GET', `/People/1/letters?${filterText({ include: { person: ['card', 'groups'] } })}`],
      ['GET', `/Memberships?${filterText(rejoined)}`],
      ['GET', `/Groups?${filterText({ include: { people: ['letters', 'card'] } })}`],
      ['GET', '/Letters'],
      ['GET', '/Cards'],
      ['POST', '/People', { name: 'dee', pin: 'hush-new', places: [{ id: 1, street: 's', door: 'hush-d' }] }],
      ['POST', '/People', [{ name: 'eve', pin: 'hush-new' }, { name: 'fay' }]],
      ['PATCH', '/People', { id: 1, pin: 'hush-1b' }],
      ['PUT', '/People', { id: 3, name: 'cid', pin: 'hush-3' }],
      ['POST', '/People/replaceOrCreate', { id: 3, name: 'cid', pin: 'hush-3' }],
      ['PATCH', '/People/1', { pin: 'hush-1c' }],
      ['PUT', '/People/3', { name: 'cid', pin: 'hush-3b', age: 8 }],
      ['POST', '/People/3/replace', { name: 'cid', pin: 'hush-3c', age: 8 }],
      ['POST', `/People/upsertWithWhere?${filterText({ name: 'ann' }, 'where')}`, { name: 'ann', pin: 'hush-1d' }],
      ['POST', `/People/update?${filterText({ name: 'ann' }, 'where')}`, { pin: 'hush-1e' }],
      ['POST', '/People/1/letters', { text: 'x', secret: 'hush-x' }],
      ['PUT', '/People/1/letters/1', { secret: 'hush-y' }],
      ['PUT', '/People/1/card', { cvc: 'hush-cvc-3' }],
      ['POST', '/People/1/groups', { id: 'b', code: 'hush-b' }],
      ['PUT', '/People/2/groups/rel/a', { note: 'hush-link' }],
      ['POST', '/People/1/addresses', { street: 'x', door: 'hush-door-2' }],
      ['PUT', '/People/1/addresses/1', { door: 'hush-door-3' }],
      ['POST', '/People/grown', { name: 'gus', pin: 'hush-g' }],
      ['PUT', '/People/1/friends/rel/3'],
      ['POST', '/People/1/reports', { name: 'hal', pin: 'hush-h' }]
    ]
    for (const [verb, path, json] of requests) {
      const { status, text, headers } = await send(verb, path, { json })
      t.equal(status, 200, `${verb} ${decodeURIComponent(path)} ${status === 200 ? '' : text}`)
      t.notMatch(text + JSON.stringify(headers), secret, `${verb} ${decodeURIComponent(path)}`)
    }
    t.match(await Person?.findById(1), { pin: 'hush-1e' }, 'they were stored')
  })

  t.test('S-10 P-05 no error carries a hidden value: conflicts, validations, types, no log line either', async t => {
    // Seen to fail: describeValue of core/validations/describe-value.ts with nothing secret
    const requests: Array<[string, string, unknown]> = [
      ['POST', '/Cards', { number: '3', cvc: 'hush-cvc-2' }],
      ['PATCH', '/Cards/1', { cvc: 'hush-cvc-2' }],
      ['PUT', '/Cards/1', { cvc: 'hush-cvc-2' }],
      ['PATCH', '/Cards', { id: 1, cvc: 'hush-cvc-2' }],
      ['POST', `/Cards/update?${filterText({ id: 1 }, 'where')}`, { cvc: 'hush-cvc-2' }],
      ['POST', `/Cards/upsertWithWhere?${filterText({ id: 1 }, 'where')}`, { cvc: 'hush-cvc-2' }],
      ['PUT', '/People/1/card', { cvc: 'hush-cvc-2' }],
      ['POST', '/Cards', { cvc: 'hush-cvc-that-is-too-long' }],
      ['POST', '/Cards', { cvc: ['hush-list'] }],
      ['POST', '/People', { name: 'x', pin: { a: 'hush-object' } }],
      ['POST', '/People', { pin: 'hush-without-a-name' }],
      ['POST', '/People', [{ name: 'x' }, { pin: 'hush-without-a-name' }]],
      ['POST', '/Closeds', { name: 'x', key: { a: 'hush-key' } }],
      ['PATCH', '/People/99', { pin: 'hush-nobody' }],
      ['PUT', '/Cards/99', { cvc: 'hush-cvc-2' }],
      ['POST', '/People/1/letters', { text: 'x'.repeat(101), secret: 'hush-long' }],
      ['POST', '/People/1/card', { cvc: 'hush-second' }]
    ]
    for (const [verb, path, json] of requests) {
      const { status, text } = await send(verb, path, { json })
      t.ok(status >= 400 && status < 500, `${verb} ${path} ${JSON.stringify(json)}: ${status} ${text}`)
      t.notMatch(text, secret, `${verb} ${path}`)
    }
    await send('GET', `/People?${filterText({ where: { pin: 'hush-asked' } })}`)
    // The address that was asked for is the client's own text; what else there is about rows is not.
    t.notMatch(logged().replaceAll(/"url":"[^"]*"/g, ''), secret, 'no line of the log')
    t.ok(logged().length > 1000, 'there is a log')
  })

  t.test('S-10 P-05 no change event carries a hidden value', async t => {
    // Seen to fail: #emit of core/changes/change-feed.ts with { hidden: true }
    const text = await streaming(t, server, '/People/change-stream', 4, async () => {
      await send('POST', '/People', {
        json: { name: 'ivy', pin: 'hush-i', places: [{ id: 1, street: 's', door: 'hush-i' }] }
      })
      await send('PATCH', '/People/1', { json: { pin: 'hush-j' } })
      await send('POST', `/People/update?${filterText({ name: 'ben' }, 'where')}`, { json: { pin: 'hush-k' } })
      await send('DELETE', '/People/3')
    })
    t.equal(text.split('event: data').length - 1, 4, text)
    t.notMatch(text, secret)
  })

  t.test('S-10 P-05 the API description carries no value of a hidden property', async t => {
    // Seen to fail: modelSchema of core/properties/schema.ts with the `default` of every property
    const { status, text } = await send('GET', '/openapi.json', { prefix: '/explorer' })
    t.equal(status, 200)
    t.match(text, '"Person', 'the model is described')
    t.notMatch(text, secret)
  })
})

/** Spellings of one hidden name. */
const spellings = (model: string, name: string): string[] => [
  name,
  name.toUpperCase(),
  name[0]?.toUpperCase() + name.slice(1),
  ` ${name}`,
  `${name} `,
  `\t${name}\n`,
  `"${name}"`,
  `'${name}'`,
  `\`${name}\``,
  `[${name}]`,
  `${model}.${name}`,
  `${model.toLowerCase()}.${name}`,
  `"${model}"."${name}"`,
  `${name}.length`,
  `${name}.0`,
  `${name}.x.y`,
  `${name}\0`,
  [...name].map(letter => String.fromCodePoint((letter.codePointAt(0) as number) + 0xfee0)).join(''),
  `${name}\u200b`,
  `(${name})`
]

await onEveryStore('guarded', async (t, server) => {
  const { send, rows, models: { Person } } = server
  await seed(server)
  const before = await rows('Person', 'Letter', 'Group', 'Membership', 'Card')

  const refused = async (t: Test, verb: string, path: string, json?: unknown): Promise<void> => {
    const { status, code, text } = await send(verb, path, { json })
    if (status !== 400 || code !== 'HIDDEN_PROPERTY_IN_QUERY') {
      t.fail(`${verb} ${decodeURIComponent(path)}: ${status} ${text.slice(0, 200)}`)
    }
  }

  t.test('S-11 P-06 a hidden property cannot be asked about: where, in every spelling and form', async t => {
    // Seen to fail: isSpellingOf of core/query/query-names.ts gave false
    for (const name of spellings('Person', 'pin')) {
      const wheres: object[] = [
        { [name]: 'hush-1' },
        { [name]: { like: 'hush%' } },
        { [name]: { gt: '' } },
        { [name]: null },
        { [name]: { exists: true } },
        { [name]: {} },
        { name: 'ann', [name]: 'x' }
      ]
      for (const where of wheres) {
        await refused(t, 'GET', `/People?${filterText({ where })}`)
        if (
          !/[\s\0]/.test(name) &&
          Object.values(where).every(value => value !== null && Object.keys(value as object).length > 0)
        ) { await refused(t, 'GET', `/People?${brackets({ where })}`.replaceAll('[', '%5B').replaceAll(']', '%5D')) }
      }
      for (const where of [
        { and: [{ [name]: 'x' }] },
        { or: [{ name: 'ann' }, { [name]: 'x' }] },
        { nor: [{ [name]: 'x' }] },
        { and: [{ or: [{ nor: [{ and: [{ [name]: { inq: ['x'] } }] }] }] }] },
        { and: { 0: { [name]: 'x' } } }
      ]) {
        await refused(t, 'GET', `/People?${filterText({ where })}`)
      }
    }
    t.pass('all were refused')
  })

  t.test('S-11 P-06 a hidden property cannot be asked about: on every route that takes a condition', async t => {
    // Seen to fail: accessWhere of core/operations/context.ts parsed its condition with external: false
    const where = filterText({ pin: 'hush-1' }, 'where')
    for (const query of [
      where,
      'where[pin]=hush-1',
      'where[or][0][pin]=hush-1',
      'where[and][0][or][0][pin][like]=h%25',
      filterText({ or: [{ pin: { neq: 'x' } }] }, 'where')
    ]) {
      for (const [verb, path, json] of [
        ['GET', '/People/count'],
        ['POST', '/People/update', { name: 'taken' }],
        ['POST', '/People/upsertWithWhere', { name: 'taken' }],
        ['GET', '/People/grown/count'],
        ['GET', '/People/1/reports/count'],
        ['GET', '/People/1/friends/count']
      ] as Array<[string, string, object?]>) {
        await refused(t, verb, `${path}?${query}`, json)
      }
    }
    for (const filter of [{ where: { pin: 'hush-1' } }, { order: 'pin' }]) {
      for (const path of [
        '/People',
        '/People/findOne',
        '/People/grown',
        '/People/1/reports',
        '/People/1/friends',
        '/Groups/a/people',
        '/Labels/1/people'
      ]) {
        await refused(t, 'GET', `${path}?${filterText(filter)}`)
        await refused(t, 'GET', `${path}?${brackets(filter)}`)
      }
    }
    for (const [path, name] of [
      ['/People/1/letters', 'secret'],
      ['/People/1/groups', 'code'],
      ['/Memberships', 'note'],
      ['/Bags', 'key'],
      ['/Closeds', 'key'],
      ['/People/1/addresses', 'door'],
      ['/People', 'places.door'],
      ['/People', 'places.0.door'],
      ['/People', 'places.Door'],
      ['/People', 'spot.door'],
      ['/People', 'rooms.door'],
      ['/People', 'houses.at.door'],
      ['/People', 'houses.0.at."door"']
    ] as const) {
      for (const filter of [
        { where: { [name]: 'x' } },
        { where: { or: [{ id: 1 }, { [name]: { gt: '' } }] } },
        { order: name },
        { order: [`${name} DESC`] }
      ]) { await refused(t, 'GET', `${path}?${filterText(filter)}`) }
      if (!path.includes('/1/')) await refused(t, 'GET', `${path}/count?${filterText({ [name]: 'x' }, 'where')}`)
    }
    for (const path of ['/People/1/letters/count', '/People/1/groups/count', '/People/1/addresses/count']) {
      const name = { letters: 'secret', groups: 'code', addresses: 'door' }[path.split('/')[3] as string] as string
      await refused(t, 'GET', `${path}?${filterText({ [name]: 'x' }, 'where')}`)
    }
    t.equal(await rows('Person', 'Letter', 'Group', 'Membership', 'Card'), before, 'nothing changed')
  })

  t.test('S-11 a hidden property cannot be asked about: order', async t => {
    // Seen to fail: resolveOther of core/query/resolve-path.ts without isSpellingOf
    for (const name of spellings('Person', 'pin')) {
      if (!/\s\w|\w\s/.test(name.trim()) && name.trim() !== '') {
        await refused(t, 'GET', `/People?${filterText({ order: `name, ${name} DESC` })}`)
      }
      await refused(t, 'GET', `/People?${filterText({ order: [`${name.trim()} ASC`] })}`)
    }
    await refused(t, 'GET', '/People?filter[order]=pin')
    await refused(t, 'GET', '/People?filter[order][0]=name&filter[order][1]=pin%20DESC')
  })

  t.test(
    'S-11 fields that name a hidden property leave it out without a word, as they do with an unknown name',
    async t => {
      // Seen to fail: only() of core/query/parse-fields.ts without isSecret showed them
      const alike = async (path: string, of: (name: string) => unknown): Promise<void> => {
        const hidden = await send('GET', `${path}?${filterText({ fields: of('pin') })}`)
        const unknown = await send('GET', `${path}?${filterText({ fields: of('nip') })}`)
        t.same([hidden.status, hidden.body], [unknown.status, unknown.body], `${path} ${JSON.stringify(of('pin'))}`)
        t.equal(hidden.status, 200)
      }
      for (const path of [
        '/People',
        '/People/1',
        '/People/findOne',
        '/People/1/reports',
        '/People/grown',
        '/Letters/1/person'
      ]) {
        for (const of of [
          (name: string) => [name],
          (name: string) => ['name', name],
          (name: string) => ({ [name]: true }),
          (name: string) => ({ name: true, [name]: 1 }),
          (name: string) => name
        ]) { await alike(path, of) }
      }
      for (const name of spellings('Person', 'pin')) {
        for (const path of ['/People', '/People/1']) {
          const answer = await send('GET', `${path}?${filterText({ fields: ['name', name] })}`)
          t.equal(answer.status, 200, `${name} ${answer.text}`)
          t.notMatch(answer.text, secret)
        }
      }
      for (const query of [
        'filter[fields]=pin',
        'filter[fields][0]=name&filter[fields][1]=pin',
        'filter[fields][pin]=true'
      ]) {
        const answer = await send('GET', `/People?${query}`)
        t.equal(answer.status, 200, query)
        t.notMatch(answer.text, secret)
      }
      const left = await send('GET', `/People/1?${filterText({ fields: { pin: false, name: false } })}`)
      t.match(left, { status: 200, body: { age: 40 } }, 'leaving it out asks for nothing')
      t.notMatch(left.text, secret)
    }
  )

  t.test('S-11 a hidden property cannot be asked about: scopes of include, at any depth', async t => {
    // Seen to fail: readInclude of core/query/parse-include.ts without checkScope
    for (const [relation, name] of [
      ['letters', 'secret'],
      ['card', 'cvc'],
      ['groups', 'code'],
      ['boss', 'pin'],
      ['reports', 'pin'],
      ['friends', 'Pin'],
      ['letters', 'Letter.secret'],
      ['addresses', 'door']
    ] as const) {
      const silent = await send('GET', `/People?${filterText({ include: { relation, scope: { fields: [name] } } })}`)
      t.equal(silent.status, 200, `fields of ${relation}`)
      t.notMatch(silent.text, secret)
      for (const scope of [{ where: { [name]: 'x' } }, { where: { or: [{ [name]: { gt: '' } }] } }, { order: name }]) {
        await refused(t, 'GET', `/People?${filterText({ include: { relation, scope } })}`)
        await refused(t, 'GET', `/People?${filterText({ include: [{ rel: relation, scope }] })}`)
        await refused(t, 'GET', `/People/1?${filterText({ include: [{ relation, scope }] })}`)
        await refused(
          t,
          'GET',
          `/People/findOne?${filterText({ where: { name: 'nobody' }, include: { relation, scope } })}`
        )
        await refused(
          t,
          'GET',
          `/People?${filterText({ include: { relation: 'boss', scope: { include: { relation: 'reports', scope: { include: { relation, scope } } } } } })}`
        )
        await refused(t, 'GET', `/People?${filterText({ include: { boss: { relation, scope } } })}`)
        await refused(t, 'GET', `/People/1/reports?${filterText({ include: { relation, scope } })}`)
      }
    }
    const { body } = await send(
      'GET',
      `/People?${filterText({ where: { name: 'ann' }, include: { relation: 'card', scope: { fields: ['number'] } } })}`
    )
    t.match(body, [{ card: { number: '1', personId: undefined } }], 'the key that joins the rows may be hidden')
    await refused(t, 'GET', '/People?filter[include][relation]=letters&filter[include][scope][where][secret]=x')
    await refused(t, 'GET', '/People?filter[include][0][relation]=letters&filter[include][0][scope][order]=secret')
  })

  t.test('S-78 hidden members of nested rows cannot be named in a whole value', async t => {
    // Seen to fail: refuseSecretMembers of core/query/nested-secrets.ts did nothing
    const row = { id: 1, street: 'High St', door: 'hush-door' }
    const values: unknown[] = [
      row,
      [row],
      { eq: row },
      { neq: row },
      { inq: [row] },
      { nin: [row] },
      { inq: [[row]] },
      { neq: [row, { door: 'x' }] },
      { Door: 'x', street: 'y' },
      { ' door ': 1 },
      { neq: { '"door"': 1 } },
      { door: { like: 'x' } }
    ]
    for (const name of ['places', 'spot', 'rooms', 'places.0', 'rooms.0', 'houses.at', 'houses.0.at']) {
      for (const value of values) {
        await refused(t, 'GET', `/People?${filterText({ where: { [name]: value } })}`)
        await refused(t, 'GET', `/People/count?${filterText({ or: [{ [name]: value }] }, 'where')}`)
        await refused(t, 'POST', `/People/update?${filterText({ [name]: value }, 'where')}`, { name: 'taken' })
      }
    }
    for (const value of [
      { at: { door: 'x' } },
      [{ rooms: 2, at: { door: 'x' } }],
      { inq: [{ at: { id: 1, door: 'x' }, rooms: 2 }] }
    ]) { await refused(t, 'GET', `/People?${filterText({ where: { houses: value } })}`) }
    await refused(t, 'GET', '/People?filter[where][spot][id]=1&filter[where][spot][door]=hush-spot')
    await refused(
      t,
      'GET',
      `/Letters?${filterText({ include: { relation: 'person', scope: { where: { places: row } } } })}`
    )
  })

  t.test('S-78 a whole value is compared with what of a nested row can be seen', async t => {
    // Seen to fail: visiblePart of core/query/nested-secrets.ts giving undefined: these found nobody, and neq everybody
    const found = async (where: object): Promise<unknown> => {
      const { body, text, status } = await send('GET', `/People?${filterText({ where, fields: ['name'] })}`)
      t.equal(status, 200, text)
      return body
    }
    const ann = [{ name: 'ann' }]
    const others = [{ name: 'ben' }, { name: 'cid' }]
    t.same(await found({ places: { id: 1, street: 'High St' } }), ann)
    t.same(await found({ places: [{ id: 1, street: 'High St' }] }), ann)
    t.same(await found({ spot: { id: 1 } }), ann)
    t.same(await found({ spot: { inq: [{ id: 1 }, { id: 2 }] } }), ann)
    t.same(await found({ spot: { neq: { id: 1 } } }), others)
    t.same(await found({ rooms: { nin: [{ id: 1 }] } }), others)
    t.same(await found({ houses: { at: { id: 1 }, rooms: 2 } }), ann)
    t.same(await found({ 'houses.at': { id: 1 } }), ann)
    t.same(await found({ nor: [{ spot: { id: 1 } }] }), others)
    t.same(await found({ and: [{ spot: { id: 1 } }, { 'places.street': 'High St' }] }), ann)
    t.equal((await send('GET', `/People/count?${filterText({ spot: { id: 1 } }, 'where')}`)).text, '{"count":1}')
  })

  t.test('S-11 a hidden property cannot be asked about: the filter of a change stream', async t => {
    // Seen to fail: createChangeStream of core/changes/change-stream.ts without the caller's options
    for (const where of [
      { pin: 'hush-1' },
      { or: [{ Pin: { gt: '' } }] },
      { 'Person.pin': 'x' },
      { 'places.door': 'x' }
    ]) {
      await refused(t, 'GET', `/People/change-stream?${filterText({ where }, 'options')}`)
      await refused(t, 'POST', '/People/change-stream', { options: { where } })
    }
    await refused(t, 'GET', '/People/change-stream?options[where][pin]=hush-1')
  })

  t.test('S-11 an unknown name is an unknown name: it is not dropped so that all rows match', async t => {
    // Seen to fail: readProperty of core/query/parse-where.ts left out names that the model does not have
    for (const name of [
      'pin;--',
      'pin->x',
      'pinn',
      'pi',
      'p.in',
      'xpin',
      '1=1',
      'name" OR 1=1 --',
      "name' --",
      'name->>pin',
      'rowid',
      '_rowid_',
      'oid',
      'ROWID',
      'sqlite_version()',
      '*',
      'Letter.secret',
      'letters.secret',
      'card.cvc',
      '_extra',
      '"_extra"',
      'bossId.pin'
    ]) {
      for (const condition of ['x', { like: '%' }, { inq: ['hush-1'] }]) {
        const list = await send('GET', `/People?${filterText({ where: { [name]: condition } })}`)
        t.ok(list.status === 400 || list.text === '[]', `${name}: ${list.status} ${list.text.slice(0, 200)}`)
        const count = await send('GET', `/People/count?${filterText({ [name]: condition }, 'where')}`)
        t.ok(count.status === 400 || count.text === '{"count":0}', `${name}: ${count.text}`)
        const update = await send('POST', `/People/update?${filterText({ [name]: condition }, 'where')}`, {
          json: { age: 99 }
        })
        t.ok(update.status === 400 || update.text === '{"count":0}', `${name}: ${update.text}`)
        const strict = await send('GET', `/Closeds?${filterText({ where: { [name]: condition } })}`)
        t.equal(strict.status, 400, `${name} of a strict model: ${strict.text}`)
      }
      const ordered = await send('GET', `/People?${filterText({ order: `${name.replaceAll(/[\s,]/g, '')} DESC` })}`)
      t.ok(ordered.status === 400 || ordered.status === 200)
      t.notMatch(ordered.text, secret)
    }
    t.equal(await rows('Person', 'Letter', 'Group', 'Membership', 'Card'), before, 'nothing changed')
  })

  t.test('S-12 P-42 protected properties are hidden in include: not shown, not asked about', async t => {
    // Seen to fail: checkScope of core/query/parse.ts with protectedHidden: false
    const deep = await send(
      'GET',
      `/Letters?${filterText({ include: { relation: 'person', scope: { include: ['letters', { boss: 'letters' }, 'reports', 'friends'] } } })}`
    )
    t.equal(deep.status, 200)
    t.notMatch(deep.text, /salary|77700\d/, 'people within letters')
    t.notMatch(
      (await send('GET', `/People?${filterText({ include: ['letters', { boss: 'letters' }] })}`)).text,
      'draft-',
      'letters within people'
    )
    t.match((await send('GET', '/People/1')).body, { salary: 777001 }, 'their own model shows them')
    t.match((await send('GET', '/Letters/1')).body, { draft: 'draft-1' })
    t.notMatch((await send('GET', '/People/1/letters')).text, 'draft-1', 'routes of relations reach it as include does')
    for (const name of ['draft', 'Draft', 'Letter.draft', '"draft"', 'draft.length']) {
      for (const fields of [['text', name], { [name]: true }]) {
        const silent = await send(
          'GET',
          `/People?${filterText({ include: { relation: 'letters', scope: { fields } } })}`
        )
        t.equal(silent.status, 200)
        t.notMatch(silent.text, 'draft-')
      }
      for (const scope of [
        { where: { [name]: 'draft-1' } },
        { where: { and: [{ [name]: { gt: '' } }] } },
        { order: `${name} DESC` }
      ]) {
        await refused(t, 'GET', `/People?${filterText({ include: { relation: 'letters', scope } })}`)
        await refused(t, 'GET', `/Memberships?${filterText({ include: { person: { relation: 'letters', scope } } })}`)
      }
    }
    t.match(
      (await send('GET', `/Letters?${filterText({ where: { draft: 'draft-1' }, order: 'draft', fields: ['draft'] })}`))
        .body,
      [{ draft: 'draft-1' }],
      'of their own model they may be asked about'
    )
  })

  t.test('S-13 P-39 code in the process may ask for hidden properties; nobody outside can borrow that', async t => {
    // Seen to fail: externalOptions of rest/hooks/options.ts took prohibitHiddenPropertiesInQuery from the query
    t.equal((await send('GET', '/People/ofPin?pin=hush-1')).text, '{"count":1}', 'code with its own options')
    t.match(
      await send('GET', '/People/ofPinAsCaller?pin=hush-1'),
      { status: 400, code: 'HIDDEN_PROPERTY_IN_QUERY' },
      'code with the options of the request'
    )
    t.equal((await Person?.find({ where: { pin: 'hush-1' }, order: 'pin', fields: ['pin'] }))?.length, 1)
    const options = { prohibitHiddenPropertiesInQuery: false, external: false, notify: false }
    for (const extra of [
      filterText(options, 'options'),
      brackets(options, 'options'),
      'prohibitHiddenPropertiesInQuery=false',
      'options[prohibitHiddenPropertiesInQuery]='
    ]) {
      await refused(t, 'GET', `/People?${filterText({ where: { pin: 'hush-1' } })}&${extra}`)
      await refused(
        t,
        'GET',
        `/People?${filterText({ where: { pin: 'hush-1' }, options, prohibitHiddenPropertiesInQuery: false })}&${extra}`
      )
      t.match(await send('GET', `/People/ofPinAsCaller?pin=hush-1&${extra}`), { status: 400 })
      await refused(t, 'POST', `/People/update?${filterText({ pin: 'hush-1' }, 'where')}&${extra}`, {
        name: 'taken',
        options
      })
    }
    const together = await Promise.all(Array.from({ length: 20 }, async (_, i) => i % 2 === 0
      ? (await send('GET', '/People/ofPin?pin=hush-1')).text
      : (await send('GET', `/People/count?${filterText({ pin: 'hush-1' }, 'where')}`)).code))
    t.same(
      together,
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? '{"count":1}' : 'HIDDEN_PROPERTY_IN_QUERY')),
      'side by side'
    )
  })
})
