import fc from 'fast-check'
import t from 'tap'
import { withoutEndSlashes } from './end-slashes.js'

t.test('slashes at the end go, and nothing else', async t => {
  for (const [path, without] of [['/api//', '/api'], ['/', ''], ['', ''], ['//a//b', '//a//b'], ['a/', 'a']] as const) {
    t.equal(withoutEndSlashes(path), without, path)
  }
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('/', 'a', '\n') }), fc.nat(5), (path, slashes) => {
    const without = withoutEndSlashes(path + '/'.repeat(slashes))
    return !without.endsWith('/') && path.startsWith(without) && /^\/*$/.test(path.slice(without.length))
  }))
})
