// FASTBACK_TEST_FULL: large bodies.
/** Bodies and types: S-30 to S-34. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { onEveryStore } from './harness.js'

const form = 'application/x-www-form-urlencoded'
const nestedBomb = '['.repeat(30_000)

/** 64 MB of blanks. */
const bombs = Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }).map(
  ([encoding, pack]) => ({ encoding, pack, packed: pack(Buffer.alloc(64 * 1024 * 1024, ' ')) })
)

await onEveryStore('guarded', async (t, server) => {
  const { send, raw, rows, port, models: { Person, Bag, Sheet } } = server
  await Person?.create([{ name: 'ann', age: 40 }, { name: 'ben', age: 20 }])
  const before = await rows('Person')

  t.test('S-30 P-11 a body is parsed by its declared media type only', async t => {
    // Seen to fail: the parser for `*` of rest/parse/body-parser.ts read JSON
    const json = '{"name":"smuggled"}'
    const types = [
      'text/plain',
      'text/json',
      'application/vnd.api+json',
      'application/json5',
      'application/jsonp',
      'application/json-seq',
      'application/xml',
      'text/xml',
      'text/html',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'json',
      'application',
      'application/',
      '/json',
      'application/json, text/plain',
      'text/plain; application/json',
      'application/x-json',
      'application/x-www-form-urlencoded+json',
      'application/octet-stream',
      '*/*',
      'nonsense; charset=utf-8'
    ]
    for (const type of types) {
      for (const [verb, path] of [
        ['POST', '/People'],
        ['PUT', '/People/1'],
        ['PATCH', '/People/1'],
        ['POST', '/People/1/replace'],
        ['POST', '/People/update?where={"id":1}'],
        ['POST', '/People/1/letters'],
        ['POST', '/Tools/whole'],
        ['POST', '/Members/login']
      ] as const) {
        const { status, code } = await send(verb, path, { payload: json, type })
        t.match({ status, code }, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }, `${verb} ${path} ${type}`)
      }
    }
    for (const type of [
      'application/json; charset=latin1',
      'application/json;charset=x',
      `${form}; charset=iso-8859-1`
    ]) { t.equal((await send('POST', '/People', { payload: json, type })).status, 415, type) }
    t.equal((await send('POST', '/People', { payload: json, type: form })).status, 422, 'JSON as a form is a form')
    t.equal((await send('POST', '/People', { payload: 'name=smuggled' })).status, 400, 'a form as JSON is no JSON')
    const untyped = await raw(
      `POST /api/People HTTP/1.1\r\nHost: x:${port}\r\nContent-Length: ${json.length}\r\nConnection: close\r\n\r\n${json}`
    )
    t.match(untyped, /^HTTP\/1\.1 422 /, 'a body without a type is none')
    t.equal((await send('POST', '/People', { payload: '', type: 'text/plain' })).status >= 400, true)
    t.equal(await rows('Person'), before, 'nothing was written')
  })

  t.test(
    'S-30 P-12 JSON deeper than 64 levels, larger than the limit, or with keys that reach a prototype is refused',
    async t => {
      // Seen to fail: defaultJsonDepth of rest/parse/json.ts at 10,000
      const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
      t.equal((await send('POST', '/Tools/whole', { payload: nested(64) })).status, 200)
      for (const text of [
        nested(65),
        nested(5_000),
        `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
        '['.repeat(50_000),
        '{"a":'.repeat(15_000),
        `{"a":"${'x'.repeat(100)}\\"","b":${'['.repeat(65)}${']'.repeat(65)}}`
      ]) {
        for (const path of ['/Tools/whole', '/People', '/Bags']) {
          t.equal(
            (await send('POST', path, { payload: text })).status,
            400,
            `${path} ${text.slice(0, 20)} ${text.length}`
          )
        }
      }
      t.equal((await send('POST', '/Bags', { json: { name: 'x'.repeat(110_000) } })).status, 413)
      t.equal((await send('POST', '/Bags', { payload: `name=${'x'.repeat(110_000)}`, type: form })).status, 413)
      const chunked =
        'POST /api/Bags HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
      const piece = `${(16_384).toString(16)}\r\n${'['.repeat(16_384)}\r\n`
      t.match(await raw(`${chunked}${piece.repeat(8)}0\r\n\r\n`), /^HTTP\/1\.1 413 /, 'without a length')
      t.equal(
        (
          await send('POST', '/Tools/whole', {
            payload: '{"+AF8AXw-proto+AF8AXw-":{"polluted":1}}',
            type: 'application/json; charset=utf-7'
          })
        ).status,
        400,
        'in another encoding'
      )
      t.equal(
        (
          await send('POST', '/Tools/whole', {
            payload: Buffer.from('{"__proto__":{"polluted":1}}', 'utf16le'),
            type: 'application/json; charset=utf-16le'
          })
        ).status,
        400,
        'in another encoding'
      )
      const keys = [
        '{"__proto__":{"polluted":true}}',
        '{"a":{"b":[{"__proto__":1}]}}',
        '{"\\u005f\\u005fproto__":{"polluted":1}}',
        '{"\\u005f_pro\\u0074o__":1}',
        '{"a":1,"__proto__":1,"__proto__":2}',
        '{"constructor":{"prototype":{"polluted":true}}}',
        '{"a":[{"constructor":{"\\u0070rototype":{}}}]}',
        '{"x":{"constructor":{"a":1,"prototype":1}}}',
        '{"name":"x","__proto__":null}',
        '[{"__proto__":{"polluted":1}}]'
      ]
      for (const text of keys) {
        for (const [verb, path] of [
          ['POST', '/Tools/whole'],
          ['POST', '/Tools/echo'],
          ['POST', '/Bags'],
          ['POST', '/People'],
          ['PATCH', '/People/1'],
          ['PUT', '/People'],
          ['POST', '/People/update?where={"id":1}'],
          ['POST', '/Members/login'],
          ['POST', '/People/change-stream']
        ] as const) {
          t.equal((await send(verb, path, { payload: text })).status, 400, `${verb} ${path} ${text}`)
        }
      }
      for (const [text, own] of [
        ['{"constructor":1}', ['constructor']],
        ['{"constructor":{"a":1}}', ['constructor']],
        ['{"prototype":{}}', ['prototype']]
      ] as const) { t.match((await send('POST', '/Tools/whole', { payload: text })).body, { own, plain: true }, text) }
      t.notOk('polluted' in {})
      for (const payload of [
        '__proto__[polluted]=1',
        'a[__proto__][polluted]=1',
        'constructor[prototype][polluted]=1',
        '__proto__=x',
        '%5F%5Fproto__[polluted]=1'
      ]) {
        const { status, body } = await send('POST', '/Tools/whole', { payload, type: form })
        t.ok(status === 400 || (body as { plain: boolean }).plain, `${payload}: ${status}`)
        t.notOk('polluted' in {}, payload)
      }
      t.equal(await rows('Person'), before, 'nothing was written')
    }
  )

  t.test('S-31 $type and $data are decoded only where the parameter asks for it', async t => {
    // Seen to fail: decodeTagged of rest/parse/tagged.ts gave 1970 for what is no date
    const day = { $type: 'date', $data: '2020-01-01T00:00:00.000Z' }
    const bytes = { $type: 'base64', $data: 'aGk=' }
    t.match(
      (await send('POST', '/Tools/echo', { json: { when: day } })).body,
      { kinds: { 3: 'date' } },
      'a date where a date is asked for'
    )
    t.match(
      (await send('POST', '/Tools/echo', { json: { object: day, any: bytes } })).body,
      { object: day, any: bytes, kinds: { 5: 'object', 6: 'object' } },
      'elsewhere it is data'
    )
    t.match((await send('POST', '/Tools/whole', { json: day })).body, { data: day })
    for (const [name, value] of [
      ['text', day],
      ['text', bytes],
      ['number', { $type: 'number', $data: '5' }],
      ['flag', { $type: 'boolean', $data: true }],
      ['list', day],
      ['list', [day]]
    ] as const) { t.equal((await send('POST', '/Tools/echo', { json: { [name]: value } })).status, 400, name) }
    for (const value of [
      { $type: 'date' },
      { $type: 'date', $data: 'x' },
      { $type: 'date', $data: 5 },
      { $type: 'date', $data: null },
      { $type: 'date', $data: ['2020-01-01'] },
      { $type: 'date', $data: day },
      { $type: 'date', $data: '2020-02-30T00:00:00Z' },
      { $type: 'base64', $data: 'aGk=' },
      { $type: ['date'], $data: day.$data },
      { $type: '__proto__', $data: 'x' },
      { $type: 'constructor', $data: 'x' },
      { $data: day.$data },
      { $type: 'DATE', $data: day.$data }
    ]) {
      t.equal((await send('POST', '/Tools/echo', { json: { when: value } })).status, 400, JSON.stringify(value))
    }
    for (const json of [
      { when: day },
      { bytes: { $type: 'base64', $data: '!!' } },
      { text: day },
      { number: { $type: 'number', $data: 1 } }
    ]) {
      const { status } = await send('POST', '/Sheets', { json })
      t.equal(status, 422, `data of a model: ${JSON.stringify(json)}`)
    }
  })

  t.test('S-32 P-12 no value changes its type in silence: bodies', async t => {
    // Seen to fail: Ajv without strictNumbers (core/schemas/validators.ts), plainCopy without notFinite
    await Sheet?.create({ text: 'one' })
    const wrong: Record<string, unknown[]> = {
      text: [5, true, {}, [], ['x'], { length: 1 }],
      number: ['abc', '1', '', '1e400', true, {}, [], [1], 'Infinity', '0x10', 'NaN'],
      flag: ['true', 1, 0, 'x', {}, []],
      when: [5, 'x', '2020-02-30', '2020-13-01T00:00:00Z', true, {}, [], '0000', '2020', '24:00', 'now'],
      point: ['x', 5, [], {}, { lat: 'x', lng: 1 }, { lat: 91, lng: 0 }, { lat: 1 }, [1], [1, 2, 3]],
      list: [5, {}, { 0: 'x', length: 1 }, [5], [{}], [['x']]],
      numbers: [['1'], ['x'], [{}], [[1]]],
      parts: [5, [], { width: 'x' }, { width: { a: 1 } }, { name: 5 }],
      whole: [1.5, 11, '5', [5]],
      object: [5, 'x', true, [], [1]]
    }
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        for (const [verb, path] of [
          ['POST', '/Sheets'],
          ['PATCH', '/Sheets/1'],
          ['PUT', '/Sheets/1'],
          ['POST', '/Sheets/1/replace'],
          ['PATCH', '/Sheets'],
          ['PUT', '/Sheets'],
          ['POST', '/Sheets/replaceOrCreate'],
          ['POST', '/Sheets/update?where={"id":1}'],
          ['POST', '/Sheets/upsertWithWhere?where={"id":1}']
        ] as const) {
          const { status, text } = await send(verb, path, { json: { [name]: value } })
          t.equal(
            status,
            422,
            `${verb} ${path} ${name}: ${JSON.stringify(value)} ${status === 422 ? '' : text.slice(0, 200)}`
          )
        }
      }
    }
    for (const payload of [
      '{"number":1e400}',
      '{"number":-1e400}',
      '{"numbers":[1e400]}',
      '{"whole":1e400}',
      '{"parts":{"width":1e999}}'
    ]) {
      for (const [verb, path] of [
        ['POST', '/Sheets'],
        ['PUT', '/Sheets'],
        ['PATCH', '/Sheets']
      ] as const) { t.equal((await send(verb, path, { payload })).status, 422, `${verb} ${payload}`) }
    }
    for (const payload of ['{"x":1e400}', '{"x":{"y":[-1e400]}}']) {
      for (const path of ['/Bags', '/Sheets']) {
        t.equal((await send('POST', path, { payload })).status, 422, `undeclared: ${path} ${payload}`)
      }
    }
    for (const payload of ['{"any":1e400}', '{"object":{"a":1e400}}', '{"any":[{"a":1e400}]}']) {
      t.equal((await send('POST', '/Sheets', { payload })).status, 422, payload)
    }
    t.equal(await Sheet?.count(), 1, 'nothing was written')
    t.match(
      (await send('POST', '/Sheets', { payload: 'number=12&flag=true&text=5', type: form })).body,
      { number: 12, flag: true, text: '5' },
      'a form has texts, which are converted'
    )
    for (const payload of [
      'number=abc',
      'number=1e400',
      'number=Infinity',
      'flag=1',
      'flag=on',
      'when=x',
      'number=1&number=2',
      'text[a]=x',
      'text=1&text=2',
      'number[]=1',
      'whole=1.5',
      'parts=x'
    ]) {
      t.equal((await send('POST', '/Sheets', { payload, type: form })).status, 422, payload)
    }
    t.equal(await Sheet?.count(), 2)
  })

  t.test('S-32 no value changes its type in silence: parameters, and what methods receive', async t => {
    // Seen to fail: scalarText of rest/parse/convert.ts took String(found)
    for (const query of [
      'number=abc',
      'number=',
      'number=1,000',
      'number=NaN',
      'number=1n',
      'number=1&number=2',
      'number[a]=1',
      'number={}',
      'flag=yes',
      'flag=',
      'flag=2',
      'flag[]=true',
      'when=x',
      'when=2020-02-30',
      'when=2020-01-01T25:00:00Z',
      'when=5',
      'when[]=2020-01-01',
      'text=a&text=b',
      'text[a]=1',
      'text[]=x',
      'list=x',
      'list[0]=x',
      'list=[%22x%22]',
      'list[a]=x',
      'list={}',
      'object=5',
      'object=[]',
      'object=x',
      'object=[{}]',
      'object[]=1',
      'object={}&object={}',
      'object={"a":',
      'object=true'
    ]) {
      t.equal((await send('GET', `/Tools/echo?${query}`)).status, 400, query)
    }
    for (const json of [
      { number: '5' },
      { number: true },
      { number: [5] },
      { text: 5 },
      { text: ['x'] },
      { text: { toString: 'x' } },
      { flag: 'true' },
      { flag: 1 },
      { when: 5 },
      { when: '2020-02-30' },
      { list: 5 },
      { list: { 0: 1, length: 1 } },
      { list: ['x'] },
      { object: 'x' },
      { object: [] },
      { object: 5 }
    ]) {
      t.equal((await send('POST', '/Tools/echo', { json })).status, 400, JSON.stringify(json))
    }
    t.equal(
      (await send('POST', '/Tools/echo', { payload: '{"number":1e400}' })).status,
      400,
      'a number that JSON cannot hold'
    )
    for (const payload of [
      '{"toString":"x","hasOwnProperty":1,"a":{"valueOf":1}}',
      '{"get":1,"set":2,"length":3}',
      '{}',
      '{"constructor":{"name":"x"}}'
    ]) {
      t.match(
        (await send('POST', '/Tools/whole', { payload })).body,
        { plain: true, accessors: 0, own: Object.keys(JSON.parse(payload) as object) },
        payload
      )
    }
    t.match((await send('POST', '/Tools/whole', { payload: 'a[b]=1&toString=x&hasOwnProperty=y', type: form })).body, {
      plain: true,
      accessors: 0
    })
    for (const json of ['x', 5, true, [], [1], null]) {
      t.ok([400, 422, 200].includes((await send('POST', '/Tools/whole', { json })).status))
    }
    for (const json of ['x', 5, true, [[]], ['x'], [null], [5]]) {
      const { status, text } = await send('POST', '/People', { json })
      t.ok(status === 400 || status === 422, `${JSON.stringify(json)}: ${status} ${text.slice(0, 200)}`)
    }
    for (const path of ['/People/1', '/People']) {
      for (const json of [[{ name: 'x' }], 'x', 5, true]) {
        t.ok([400, 422].includes((await send('PATCH', path, { json })).status), `PATCH ${path} ${JSON.stringify(json)}`)
      }
    }
    t.equal(await rows('Person'), before)
  })

  t.test('S-33 P-11 the limit counts what compressed bodies expand to, and stops the expansion there', async t => {
    // Seen to fail: collect of rest/parse/read-body.ts without its limit
    for (const { encoding, pack, packed } of bombs) {
      t.ok(packed.length < 1024 * 1024)
      const memory = process.memoryUsage().rss
      const started = process.cpuUsage()
      for (const [path, type] of [
        ['/Tools/whole', 'application/json'],
        ['/Bags', form],
        ['/Members/login', 'application/json']
      ] as const) {
        const answer = await send('POST', path, {
          payload: packed,
          type,
          headers: { 'content-encoding': encoding }
        }).catch(() => ({ status: 413 }))
        t.equal(answer.status, 413, `${encoding} ${path}`)
      }
      const { user, system } = process.cpuUsage(started)
      t.ok(user + system < 10_000_000, `${encoding}: ${Math.round((user + system) / 1000)} ms of the processor`)
      t.ok(
        process.memoryUsage().rss - memory < 48 * 1024 * 1024,
        `${encoding}: ${Math.round((process.memoryUsage().rss - memory) / 1024 / 1024)} MB more`
      )
      const headers = { 'content-encoding': encoding }
      t.equal(
        (await send('POST', '/Tools/whole', { payload: pack('{"a":1}'), headers })).status,
        200,
        `${encoding} within the limit`
      )
      t.equal(
        (await send('POST', '/Tools/whole', { payload: pack(`{"a":"${'x'.repeat(102_400 - 8)}"}`), headers })).status,
        200,
        `${encoding} at the limit`
      )
      t.equal(
        (await send('POST', '/Tools/whole', { payload: pack(`{"a":"${'x'.repeat(102_400 - 7)}"}`), headers })).status,
        413,
        `${encoding} one byte over it`
      )
      t.equal(
        (await send('POST', '/Tools/whole', { payload: pack('{"a":1}').subarray(0, 9), headers })).status,
        400,
        `${encoding} cut off`
      )
      t.equal(
        (await send('POST', '/Tools/whole', { payload: '{"a":1}', headers })).status,
        400,
        `${encoding} that is none`
      )
      t.equal(
        (await send('POST', '/Tools/whole', { payload: pack(nestedBomb), headers })).status,
        400,
        `${encoding}: depth counts as well`
      )
      t.equal(
        (await send('POST', '/Tools/whole', { payload: pack('{"__proto__":{"polluted":1}}'), headers })).status,
        400,
        `${encoding}: so do names`
      )
    }
    for (const encoding of ['gzip, gzip', 'gzip, br', 'zstd', 'compress', 'x', 'gzip;q=1', 'identity, gzip']) {
      t.equal(
        (await send('POST', '/Tools/whole', { payload: gzipSync('{}'), headers: { 'content-encoding': encoding } }))
          .status,
        415,
        encoding
      )
    }
  })

  t.test('S-34 property names that mean something to JavaScript are data', async t => {
    // Seen to fail: plainCopy of core/properties/plain-copy.ts called whatever is named toJSON
    const names = [
      'toString',
      'then',
      'toJSON',
      'save',
      '__data',
      'hasOwnProperty',
      'valueOf',
      'toObject',
      'length',
      'isNewRecord',
      'destroy',
      'updateAttributes',
      '__cachedRelations',
      'inspect',
      'catch',
      'finally',
      'constructor',
      'call',
      'apply',
      'emit',
      'on',
      'trigger',
      'errors',
      '__strict',
      '$type',
      '_id',
      'prototype',
      '0',
      '',
      'Symbol(x)',
      'reload',
      'setAttribute',
      'isValid'
    ]
    const data = Object.fromEntries(names.map(name => [name, `value of ${name}`]))
    const made = await send('POST', '/Bags', { json: { ...data, name: 'bag' } })
    t.match(made, { status: 200 }, made.text.slice(0, 300))
    const { id } = made.body as { id: number }
    const same = (body: unknown, what: string): void => {
      for (const name of names) {
        if (!Object.hasOwn(body as object, name) || (body as Record<string, unknown>)[name] !== data[name]) {
          t.fail(`${what}: ${name} is ${JSON.stringify((body as Record<string, unknown>)?.[name])}`)
        }
      }
    }
    same(made.body, 'create')
    same((await send('GET', `/Bags/${id}`)).body, 'findById')
    same(((await send('GET', '/Bags?filter[where][name]=bag')).body as unknown[])[0], 'find')
    same((await send('GET', '/Bags/findOne?filter[where][name]=bag')).body, 'findOne')
    same((await send('PATCH', `/Bags/${id}`, { json: { name: 'x' } })).body, 'patch')
    same((await send('PUT', `/Bags/${id}`, { json: data })).body, 'replace')
    same((await send('POST', `/Bags/${id}/replace`, { json: data })).body, 'replace')
    same((await send('PATCH', '/Bags', { json: { ...data, id } })).body, 'upsert')
    same((await send('PUT', '/Bags', { json: { ...data, id } })).body, 'replaceOrCreate')
    same(
      (await send('POST', '/Tools/whole', { json: data })).body === undefined
        ? undefined
        : ((await send('POST', '/Tools/whole', { json: data })).body as { data: unknown }).data,
      'a remote method'
    )
    for (const name of names) {
      if (name === '' || name === 'constructor' || name === 'prototype' || name.includes('.') || name.startsWith('$')) {
        continue
      }
      t.same(
        (await send('GET', `/Bags/count?where=${encodeURIComponent(JSON.stringify({ [name]: data[name] }))}`)).body,
        { count: 1 },
        `a condition on ${name}`
      )
      t.same(
        (await send('GET', `/Bags/count?where=${encodeURIComponent(JSON.stringify({ [name]: 'other' }))}`)).body,
        { count: 0 },
        `another on ${name}`
      )
      t.equal(
        (
          await send(
            'GET',
            `/Bags?filter=${encodeURIComponent(JSON.stringify({ order: `${name.replaceAll(' ', '')} DESC`, fields: [name] }))}`
          )
        ).status,
        200,
        `order and fields of ${name}`
      )
    }
    for (const value of [
      { then: 'x' },
      { toJSON: 1, then: { then: 1 } },
      { toString: null, valueOf: {} },
      [{ then: 1 }]
    ]) {
      const { status, body } = await send('POST', '/Bags', { json: { name: 'nested', value } })
      t.equal(status, 200)
      t.same((body as { value: unknown }).value, value, JSON.stringify(value))
      t.same(((await send('GET', `/Bags/${(body as { id: number }).id}`)).body as { value: unknown }).value, value)
    }
    t.equal((await send('DELETE', `/Bags/${id}`)).status, 200)
    t.ok(await Bag?.count())
  })
})
