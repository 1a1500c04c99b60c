import t from 'tap'
import { Sealing } from '@fastback/core/remote'
import { SealedTexts } from './sealed-texts.js'

const [first, second] = ['the first secret of two', 'the second secret of two']

t.test('OI-34: sealed texts are compact JWE, and opened by who has the secret', async t => {
  const texts = new SealedTexts([first], 'fastback second factors')
  const sealed = await texts.seal('a seed')
  const [header, key, ...rest] = sealed.split('.')
  t.equal(rest.length, 3)
  t.equal(key, '', 'the key is nowhere')
  t.match(JSON.parse(Buffer.from(header as string, 'base64url').toString()), { alg: 'dir', enc: 'A256GCM', salt: String })
  t.equal(await texts.open(sealed), 'a seed')
  t.not(await texts.seal('a seed'), sealed, 'each has a salt of its own')
  t.notOk(sealed.includes(Buffer.from('a seed').toString('base64url')))

  // Of another purpose, of another secret, changed.
  t.equal(await new SealedTexts([first], 'fastback oauth2 keys').open(sealed), undefined)
  t.equal(await new SealedTexts([second], 'fastback second factors').open(sealed), undefined)
  for (const at of [0, 2, 3, 4]) {
    const parts = sealed.split('.')
    const part = parts[at] as string
    parts[at] = (part.startsWith('A') ? 'B' : 'A') + part.slice(1)
    t.equal(await texts.open(parts.join('.')), undefined, `part ${at}`)
  }
  for (const each of [undefined, null, 7, '', 'x', 'a.b.c.d.e', '....']) t.equal(await texts.open(each), undefined)
})

t.test('OI-35: the first of several secrets seals, all open', async t => {
  const before = new SealedTexts([first], 'x')
  const after = new SealedTexts([second, first], 'x')
  const sealed = await before.seal('seed')
  t.equal(await after.open(sealed), 'seed')
  t.not(after.keyId, before.keyId)
  t.equal(after.knows(before.keyId), true)
  t.equal(before.knows(after.keyId), false)
  t.equal(await before.open(await after.seal('seed')), undefined)
})

t.test('another program reads the form by the specification', async t => {
  // `Sealing` of core reads JWE of earlier versions with a code of its own.
  const sealed = await new SealedTexts([first], 'some purpose').seal('{"a":1}')
  t.same(new Sealing([first], 'some purpose').open(sealed), { a: 1 })
})
