/** Forms that pages of other sites have a browser send, with the cookies of its visitor (S-158). */
import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import { attack, type Answer, type Attacked, type Row, type Sent } from './harness.js'
import { temporaryApp } from './folders.js'

const secret = 'the secret of the cookies'
const signed = (value: string): string =>
  `s:${value}.${createHmac('sha256', secret).update(value).digest('base64').replace(/(?<!=)=+$/, '')}`

/** What cookie-parser does, in few words: Express middleware of the application, which comes after tokens were read. */
const cookies = `import { createHmac } from 'node:crypto'
const signed = value => 's:' + value + '.' +
  createHmac('sha256', ${JSON.stringify(secret)}).update(value).digest('base64').replace(/(?<!=)=+$/, '')
export default app => {
  app.enableAuth()
  app.middleware('session:before', (req, res, next) => {
    req.signedCookies = {}
    for (const part of (req.headers.cookie ?? '').split('; ')) {
      const [name, text = ''] = part.split('=').map(decodeURIComponent)
      const value = text.slice(2, text.lastIndexOf('.'))
      if (text === signed(value)) req.signedCookies[name] = value
    }
    next()
  })
  app.use('/who', (req, res) => { res.end(String(req.accessToken?.userId ?? 'nobody')) })
  const { Memo } = app.models
  Memo.touch = async text => { await Memo.create({ text }) }
  Memo.remoteMethod('touch', { accepts: { arg: 'text', type: 'string' }, http: { path: '/done/touch' } })
}`

const everybody = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const somebody = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }

const shop = (t: Test, more: object = {}): string => temporaryApp(t, {
  'server/boot/cookies.js': cookies,
  'server/models/customer.json': { name: 'Customer', base: 'User' },
  'server/models/memo.json': {
    name: 'Memo', properties: { text: 'string', userId: 'number' }, acls: [everybody, { ...somebody, property: ['create', 'find', 'touch'] }]
  },
  'server/middleware.json': {
    initial: { cors: { params: { origin: ['https://app.example'], credentials: true } } },
    auth: { 'loopback#token': {} },
    routes: { 'loopback#rest': { paths: ['/api'] } }
  },
  'server/model-config.json': {
    _meta: { sources: ['loopback/common/models', './models'] },
    ...Object.fromEntries(['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])),
    Customer: { dataSource: 'db', public: true },
    Memo: { dataSource: 'db', public: true }
  },
  ...more
})

const form = { type: 'application/x-www-form-urlencoded' }
const person = { email: 'ann@x.test', password: 'correct horse' }

async function logIn ({ models, send }: Attacked): Promise<string> {
  await models.Customer?.create(person)
  const { body } = await send('POST', '/Customers/login', { json: person })
  return `access_token=${encodeURIComponent(signed((body as Row).id as string))}`
}

type Post = (path: string, sent: Sent) => Promise<Answer>
const by = ({ send }: Attacked, cookie: string, headers: Record<string, string>): Post =>
  async (path, sent) => await send('POST', path, { ...sent, headers: { cookie, ...headers } })

/** What browsers say of a request: those of today, those that know no `Sec-Fetch-Site`, and a sandboxed frame. */
const foreign: Readonly<Record<string, Record<string, string>>> = {
  'another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'a neighbour': { origin: 'https://evil.shop.example', 'sec-fetch-site': 'same-site' },
  'an old browser': { origin: 'https://evil.example' },
  'a frame': { origin: 'null' },
  'no origin': { 'sec-fetch-site': 'cross-site' }
}

t.test('S-158 P-22 a form of another site has no user, whatever cookies come with it', async t => {
  // Seen to fail: authentication.ts that asks for tokens with cookies always: the password was the other site's
  const server = await attack(t, shop(t), 'sqlite')
  const cookie = await logIn(server)
  const ann = by(server, cookie, { origin: `http://127.0.0.1:${server.port}`, 'sec-fetch-site': 'same-origin' })
  t.equal((await ann('/Memos', { payload: 'text=mine', ...form })).status, 200, 'control: a form of this site')
  for (const [who, headers] of Object.entries(foreign)) {
    const post = by(server, cookie, headers)
    for (const type of [form.type, 'multipart/form-data; boundary=x', 'text/plain', 'TEXT/plain;charset=utf-8']) {
      t.equal((await post('/Memos', { payload: 'text=forged', type })).status, 401, `${who}, ${type}`)
    }
    t.equal((await post('/Customers/reset-password', { payload: 'newPassword=evil', ...form })).status, 401, who)
    t.equal((await post('/Customers/logout', {})).status, 401, `${who}, without a body`)
    const { status } = await server.send('GET', '/Memos/done/touch?text=forged', { headers: { cookie, ...headers } })
    if (headers.origin === undefined || 'sec-fetch-site' in headers) t.equal(status, 401, `${who}, by a link`)
  }
  t.equal((await server.send('POST', '/Customers/login', { json: person })).status, 200, 'the password is as it was')
  t.strictSame((await server.models.Memo?.find())?.map(({ text }) => text), ['mine'])
})

t.test('S-158 what browsers ask about first, and whom CORS lets in, go on as before', async t => {
  // Seen to fail: foreign-form.ts that lets nobody in, and takes whatever has a body for a form
  const server = await attack(t, shop(t), 'sqlite')
  const cookie = await logIn(server)
  const status = async (headers: Record<string, string>, sent: Sent = { payload: 'text=x', ...form }): Promise<number> =>
    (await by(server, cookie, headers)('/Memos', sent)).status
  t.equal(await status({}), 200, 'a program, which is no browser')
  t.equal(await status({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }), 200, 'a page that CORS names')
  t.equal(await status({ origin: 'https://evil.example' }, { json: { text: 'x' } }), 200, 'JSON, which took a preflight')
  t.equal(await status({ origin: 'https://shop.example', 'x-forwarded-host': 'shop.example' }), 200, 'behind a proxy')
  t.equal(await status({ origin: `http://127.0.0.1:${server.port}` }), 200, 'an old browser, a page of this origin')
  const { send } = server
  for (const site of ['same-origin', 'none']) {
    t.equal((await send('GET', '/Memos/done/touch?text=x', { headers: { cookie, 'sec-fetch-site': site } })).status, 204, site)
  }
  t.equal((await send('GET', '/Memos', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status, 200, 'a link that reads')
  // A token in a header no other page has.
  const token = decodeURIComponent(cookie).slice('access_token=s:'.length).split('.')[0] as string
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', authorization: token }
  t.equal((await send('POST', '/Memos', { payload: 'text=x', ...form, headers: evil })).status, 200)
})

t.test('S-158 so it is where the application finds tokens itself', async t => {
  // Seen to fail: token-statics.ts that hands the request on as it is
  const own = `export default app => {
  const { AccessToken } = app.models
  const base = AccessToken.getIdForRequest
  AccessToken.getIdForRequest = function (req, options) { return base.call(this, req, options) }
}`
  const server = await attack(t, shop(t, { 'server/boot/own.js': own }), 'sqlite')
  const cookie = await logIn(server)
  const post = async (headers: Record<string, string>): Promise<number> =>
    (await by(server, cookie, headers)('/Memos', { payload: 'text=x', ...form })).status
  t.equal(await post({}), 200, 'control')
  t.equal(await post(foreign['another site'] as Record<string, string>), 401)
})

t.test('S-158 so it is for Express code of the application', async t => {
  // Seen to fail: boot/application-host.ts that hands on no reply: nobody was let in, whatever CORS says
  const server = await attack(t, shop(t), 'sqlite')
  const cookie = await logIn(server)
  const who = async (headers: Record<string, string>): Promise<string> =>
    (await by(server, cookie, headers)('/who', { payload: 'a=b', ...form, prefix: '' })).text
  t.equal(await who({}), '1', 'control')
  for (const [name, headers] of Object.entries(foreign)) t.equal(await who(headers), 'nobody', name)
  t.equal(await who({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }), '1', 'a page that CORS names')
})
