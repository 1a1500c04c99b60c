/** What is deprecated says so with each response, and is counted by client. */
import t from 'tap'
import type { ModelRegistry } from '@fastback/core'
import { measuresOf } from '@fastback/core/remote'
import { call, makeApp } from './app.js'

type Loose = any

const dates = { since: '2026-10-01', sunset: '2027-04-01T12:00:00Z', link: 'https://example.com/é?a=1' }
const linked = '<https://example.com/%C3%A9?a=1>'
const expected = {
  deprecation: '@1790812800',
  sunset: 'Thu, 01 Apr 2027 12:00:00 GMT',
  link: `${linked}; rel="deprecation", ${linked}; rel="sunset"`
}
const told = ({ headers }: Loose): unknown =>
  Object.fromEntries(Object.keys(expected).map(name => [name, headers[name]]))
const nothing = { deprecation: undefined, sunset: undefined, link: undefined }
const counted = (app: Loose): Array<[string, number]> =>
  [...measuresOf(app.registry as ModelRegistry).read('deprecatedCalls')]

t.test('a method', async t => {
  const app = await makeApp(t, {
    definitions: [{
      name: 'Note',
      properties: { text: 'string' },
      methods: {
        old: { http: { verb: 'get', path: '/old' }, returns: { arg: 'x', root: true }, deprecated: dates, run: () => ({ a: 1 }) },
        noted: { http: { verb: 'get', path: '/noted' }, returns: { arg: 'x', root: true }, deprecated: true, run: () => ({ a: 1 }) },
        fails: { http: { verb: 'get', path: '/fails' }, deprecated: { sunset: '2027-04-01' }, run: () => { throw new Error('no') } }
      }
    }]
  } as Loose)
  t.strictSame(told(await call(app, 'GET', '/Notes/old')), expected)
  t.strictSame(told(await call(app, 'GET', '/Notes/noted')), nothing, 'true is told in the description')
  t.match((await call(app, 'GET', '/Notes/fails')).headers, { sunset: 'Thu, 01 Apr 2027 00:00:00 GMT' }, 'also with an error')
  t.strictSame(told(await call(app, 'GET', '/Notes')), nothing)
  t.strictSame(counted(app), [['["Note.old","","anonymous"]', 1], ['["Note.fails","","anonymous"]', 1]])
})

t.test('a model, and not those that extend it', async t => {
  const app = await makeApp(t, {
    definitions: [
      { name: 'Note', properties: { text: 'string' }, deprecated: dates },
      { name: 'Memo', base: 'Note' }
    ]
  } as Loose)
  for (const path of ['/Notes', '/Notes/count']) t.strictSame(told(await call(app, 'GET', path)), expected)
  t.strictSame(told(await call(app, 'GET', '/Memos')), nothing)
})

t.test('a property that is written or named', async t => {
  const app = await makeApp(t, {
    definitions: [{
      name: 'Note', properties: { text: 'string', colour: { type: 'string', deprecated: dates }, size: { type: 'number', deprecated: { since: '2026-01-01' } } }
    }]
  } as Loose)
  const using: ReadonlyArray<readonly [string, string, unknown?]> = [
    ['POST', '/Notes', { text: 'a', colour: 'red' }],
    ['POST', '/Notes', [{ text: 'a' }, { colour: 'red' }]],
    ['PATCH', '/Notes/1', { colour: 'blue' }],
    ['GET', '/Notes?filter={"where":{"or":[{"colour":"red"},{"text":"a"}]}}'],
    ['GET', '/Notes?filter={"fields":["colour","id"]}'],
    ['GET', '/Notes?filter={"order":"colour DESC"}'],
    ['GET', '/Notes?filter[order]=colour DESC'],
    ['GET', '/Notes?filter[where][colour]=red'],
    ['GET', '/Notes/count?where={"colour":"red"}'],
    ['GET', '/Notes/1?filter={"fields":{"colour":true}}']
  ]
  for (const [verb, path, body] of using) {
    t.strictSame(told(await call(app, verb as Loose, encodeURI(path), body as Loose)), expected, `${verb} ${path}`)
  }
  const others: ReadonlyArray<readonly [string, string, unknown?]> = [
    ['POST', '/Notes', { text: 'colour' }],
    ['GET', '/Notes?filter={"where":{"text":"colour"}}'],
    ['GET', '/Notes'],
    ['GET', '/Notes?colour=1']
  ]
  for (const [verb, path, body] of others) {
    t.strictSame(told(await call(app, verb as Loose, encodeURI(path), body as Loose)), nothing, `${verb} ${path}`)
  }
  const both = await call(app, 'POST', '/Notes', { size: 1, colour: 'red' })
  t.equal(both.headers.sunset, expected.sunset)
  t.equal(counted(app).reduce((sum, [, count]) => sum + count, 0), using.length + 2)
})

t.test('what no metrics can hold is counted together', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Note', properties: { text: 'string' }, deprecated: dates }],
    prepare: (_models: Loose, fastify: Loose) => {
      fastify.addHook('onRequest', async (request: Loose) => { request.accessToken = { appId: request.headers['x-client'] } })
    }
  } as Loose)
  for (let i = 0; i < 510; i++) {
    await (app as Loose).inject({ url: '/api/Notes/count', headers: { 'x-client': `c${i}` } })
  }
  const labels = counted(app)
  t.equal(labels.length, 501)
  t.strictSame(labels.at(-1), ['["Note.count","","other"]', 10])
})

t.test('what is no date, or no address, stops the start', async t => {
  const wrong: Array<[unknown, RegExp]> = [
    [{ since: 'soon' }, /deprecated\.since.*date/],
    [{ since: '2026-13-01' }, /deprecated\.since/],
    [{ since: '2026-10-01', sunset: '2026-09-01' }, /deprecated\.sunset.*before/],
    [{ link: 'a b' }, /deprecated\.link/],
    [{ link: 'a\r\nset-cookie: x' }, /deprecated\.link/],
    [{ since: '2026-10-01', until: 'x' }, /"until"/],
    ['yes', /deprecated/]
  ]
  for (const [deprecated, message] of wrong) {
    await t.rejects(makeApp(t, { definitions: [{ name: 'Note', properties: { text: 'string' }, deprecated }] } as Loose), { message })
    await t.rejects(
      makeApp(t, { definitions: [{ name: 'Note', properties: { text: { type: 'string', deprecated } } }] } as Loose), { message }
    )
  }
})
