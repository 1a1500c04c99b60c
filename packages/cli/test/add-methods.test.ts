import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { withMethod } from '../src/add/method-script.js'
import { createServer, newApplication } from '../src/index.js'
import { enter, talk } from './dialogue.js'
import { run } from './terminal.js'

async function shop (t: Test, template: 'api-server' | 'empty-server'): Promise<string> {
  const { folder } = await newApplication({ name: 'shop', template, cwd: t.testdir() })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{\n  "db": { "connector": "memory" }\n}\n')
  return folder
}

const textOf = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8')
const json = (folder: string, file: string) => JSON.parse(textOf(folder, file))

async function done (folder: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await run(folder, ['add', ...args, '--allow-dirty'])
  if (code !== 0) throw new Error(`add ${args.join(' ')}: ${err}`)
  return out + err
}

t.test('a method is added to a script of any form, in its style, and nothing else changes', async t => {
  const stub = { model: 'Coffee', name: 'prototype.brew', parameters: ['cups', 'default'] }
  for (const [before, after] of [
    [
      '\'use strict\';\n\nmodule.exports = function(Coffee) {\n\n};\n',
      '\'use strict\';\n\nmodule.exports = function(Coffee) {\n  Coffee.prototype.brew = async function (cups, default_) {\n    throw '
    ],
    [
      'export default function (C) {\n\t// kept\n\tC.x = "1" // too\n}\n',
      'export default function (C) {\n\t// kept\n\tC.x = "1" // too\n\n\tC.prototype.brew = async function (cups, default_) {\n\t\tthrow '
    ],
    ['export default Coffee => {}\n', 'export default Coffee => {\n  Coffee.prototype.brew = async function'],
    ['function setUp (M) {}\r\nmodule.exports = setUp\r\n', 'function setUp (M) {\r\n  M.prototype.brew = async function']
  ] as const) {
    const text = withMethod(before, stub)
    t.match(text, after)
    t.equal(withMethod(text ?? '', stub), text, 'once')
    const end = before.slice(before.lastIndexOf('}'))
    t.ok(text?.endsWith(end))
  }
  for (const text of ['module.exports = require("./other")', 'export default class X {}', 'function (', 'export default () => {}']) {
    t.equal(withMethod(text, stub), undefined)
  }
})

t.test('remote methods are declared, are in the script, and answer 501 until they are written', async t => {
  const folder = await shop(t, 'empty-server')
  await done(folder, 'model', 'Coffee', '--acl', 'open')
  await done(folder, 'remote-method', 'Coffee', 'brew', '--http', 'post /brew', '--accepts', 'cups:number!', '--accepts',
    'tags:string[]@query', '--returns', 'ready:boolean', '--description', 'Brews it')
  t.match(textOf(folder, 'common/models/coffee.json'), `"methods": {
    "brew": {
      "accepts": [
        {
          "arg": "cups",
          "type": "number",
          "required": true
        },
        {
          "arg": "tags",
          "type": [
            "string"
          ],
          "required": false,
          "http": {
            "source": "query"
          }
        }
      ],
      "returns": [
        {
          "arg": "ready",
          "type": "boolean",
          "root": false
        }
      ],
      "description": "Brews it",
      "http": [
        {
          "path": "/brew",
          "verb": "post"
        }
      ]
    }
  }`)
  t.match((await run(folder, ['add', 'method', 'Coffee', 'brew'])).err, 'FBK_CLI_EXISTS')
  t.match((await run(folder, ['add', 'method', 'Coffee', 'a.b'])).err, 'a name has no "."')
  t.match((await run(folder, ['add', 'method', 'Coffee', 'x', '--returns', 'a!'])).err, 'is no result')
  const { code, err, left } = await talk(folder, ['add', 'method', 'Coffee', 'prototype.grind', '--allow-dirty'], [
    ['method of the model', enter], ['What does it do', enter], ['An endpoint', `/grind${enter}`], ['verb', enter],
    ['An endpoint', enter], ['An argument', `fine${enter}`], ['type', enter], ['Required', enter], ['What it is', enter],
    ['Where is it', enter], ['An argument', enter], ['A result', `ok${enter}`], ['type', enter], ['whole answer', 'y'],
    ['What it is', enter], ['A result', enter]
  ])
  t.equal(code, 0, err)
  t.same(left, [])

  // Node keeps modules that were loaded, by their paths.
  cpSync(folder, `${folder}-served`, { recursive: true })
  const server = await createServer(`${folder}-served`)
  t.teardown(async () => { await server.stop() })
  const { fastify } = server
  const brewed = await fastify.inject({ method: 'POST', url: '/api/Coffees/brew', payload: { cups: 2 } })
  t.equal(brewed.statusCode, 501)
  t.match(brewed.json().error, { statusCode: 501, message: String })
  t.equal((await fastify.inject({ method: 'POST', url: '/api/Coffees/brew', payload: {} })).statusCode, 400)
  await fastify.inject({ method: 'POST', url: '/api/Coffees', payload: {} })
  t.equal((await fastify.inject({ method: 'POST', url: '/api/Coffees/1/grind', payload: { fine: 'x' } })).statusCode, 501)
})

async function users (folder: string, ...models: string[]) {
  const server = await createServer(folder)
  const { fastify } = server
  const tokens: string[] = []
  for (const model of models) {
    const payload = { email: 'a@example.org', password: 'long enough 1' }
    const made = await fastify.inject({ method: 'POST', url: `/api/${model}`, payload })
    if (made.statusCode !== 200) throw new Error(made.body)
    tokens.push((await fastify.inject({ method: 'POST', url: `/api/${model}/login`, payload })).json().id as string)
  }
  const read = async (url: string, token: string | undefined): Promise<number> =>
    (await fastify.inject({ url: `/api/${url}`, headers: { authorization: token ?? '' } })).statusCode
  return { read, tokens, stop: async () => { await server.stop() } }
}

t.test('an own user model takes the place of the built-in one; several keep to their own tokens', async t => {
  const folder = await shop(t, 'api-server')
  await done(folder, 'user-model', 'Customer')
  const config = json(folder, 'server/model-config.json')
  t.notOk('User' in config)
  t.same(config.AccessToken.relations, { user: { type: 'belongsTo', model: 'Customer', foreignKey: 'userId' } })
  t.match(json(folder, 'common/models/customer.json').options, { restrictResetPasswordTokenScope: true }, 'settings of User stay')
  t.match(await done(folder, 'user-model', 'Customer'), 'Nothing to do.')
  const one = await users(folder, 'Customers')
  t.equal(await one.read('Customers/1', one.tokens[0]), 200)
  t.equal(await one.read('Customers/1', undefined), 401)
  await one.stop()

  const { code, err, left } = await talk(folder, ['add', 'user-model', 'Seller', '--allow-dirty'], [
    ['Keep the other', enter], ['data source', enter], ['model of tokens', `Pass${enter}`]
  ])
  t.equal(code, 0, err)
  t.same(left, [])
  const accessTokens = {
    type: 'hasMany', model: 'Pass', polymorphic: { foreignKey: 'userId', discriminator: 'principalType' }, options: { disableInclude: true }
  }
  t.same(json(folder, 'common/models/customer.json').relations, { accessTokens })
  t.same(json(folder, 'common/models/seller.json').relations, { accessTokens })
  t.same(json(folder, 'common/models/pass.json').relations.user, {
    type: 'belongsTo', idName: 'id', polymorphic: { idType: 'number', foreignKey: 'userId', discriminator: 'principalType' }
  })
  t.same(json(folder, 'server/middleware.json').auth, { 'loopback#token': { params: { model: 'Pass' } } })
  const both = await users(folder, 'Customers', 'Sellers')
  t.teardown(both.stop)
  const [customer, seller] = both.tokens
  t.same(await Promise.all([
    both.read('Customers/1', customer), both.read('Customers/1', seller), both.read('Sellers/1', seller), both.read('Sellers/1', customer)
  ]), [200, 403, 200, 403])
})

t.test('an own token model, in a folder without access control', async t => {
  const folder = await shop(t, 'empty-server')
  await done(folder, 'user-model', 'Member', '--token-model', 'Pass')
  t.same(json(folder, 'common/models/member.json').relations, {
    accessTokens: { type: 'hasMany', model: 'Pass', foreignKey: 'userId', options: { disableInclude: true } }
  })
  t.ok(existsSync(path.join(folder, 'server/boot/authentication.js')))
  t.equal((await run(folder, ['add', 'user-model', 'Other', '--no-several', '--yes'])).code, 2)
  const { read, tokens, stop } = await users(folder, 'Members')
  t.teardown(stop)
  t.equal(await read('Members/1', tokens[0]), 200)
  t.equal(await read('Members/1', undefined), 401)
})
