import t from 'tap'
import { authorityOf, canonicalPath, canonicalTarget, foldPath, isPlainTarget } from './target.js'

t.test('one spelling', async t => {
  const spellings: ReadonlyArray<readonly [given: string, canonical: string | undefined]> = [
    ['/', '/'],
    ['/api/Notes?x=//%2e/..#', '/api/Notes?x=//%2e/..#'],
    ['/.well-known/x', '/.well-known/x'],
    ['/a..b/...', '/a..b/...'],
    ['http://x/api/Notes?a=b', '/api/Notes?a=b'],
    ['HTTPS://[::1]:80?a', '/?a'],
    ['http://x', '/'],
    ['http://x//a', '/a'],
    ['/%61pi/x%2fy%7E?q=%61', '/api/x%2Fy~?q=%61'],
    ['//a///b//', '/a/b/'],
    ['/%2541', '/%2541'],
    ['/a%3bb%3Ac', '/a;b:c'],
    ['/a\\b%5c', '/a%5Cb%5C'],
    ['/Boo%E2%84%AAs', '/Boo%E2%84%AAs'],
    ['/caf\u00c3\u00a9', '/caf%C3%A9'],
    ['/{a}|"^`<>', '/%7Ba%7D%7C%22%5E%60%3C%3E'],
    ['/a%00', '/a%00'],
    ['/a%20b', '/a%20b'],
    ['*', undefined],
    ['x:80', undefined],
    ['', undefined],
    ['api', undefined],
    ['ftp://x/api', undefined],
    ['http:///api', undefined],
    ['http://u@x/api', undefined],
    ['http:/x/api', undefined],
    ['http://x\\@y/api', undefined],
    ['/a#b', undefined],
    ['/%zz', undefined],
    ['/%', undefined],
    ['/%ff', undefined],
    ['/%C0%AF', undefined],
    ['/\u00ff', undefined],
    ['/\u212a', undefined],
    ['/a/../b', undefined],
    ['/./a', undefined],
    ['/a/%2e%2E', undefined],
    ['/a/.', undefined],
    ['/..', undefined],
    ['//../a', undefined]
  ]
  for (const [given, canonical] of spellings) {
    t.equal(canonicalTarget(given), canonical, given)
    if (canonical !== undefined) t.equal(canonicalTarget(canonical), canonical, 'has it')
    t.equal(
      isPlainTarget(given),
      given === canonical && !/^[^?]*%/.test(given),
      `${given} is looked at only where it must be`
    )
  }
  t.strictSame(['http://x:1/a', 'https://[::1]', '/a', 'x:80'].map(authorityOf), ['x:1', '[::1]', undefined, undefined])
})

t.test('paths that somebody wrote, and their comparison', async t => {
  t.strictSame(['/caf\u00e9', '/a b/', '/%61', 'a', '/a/../b', '/\ud800'].map(canonicalPath), [
    '/caf%C3%A9',
    '/a%20b/',
    '/a',
    'a',
    '/a/../b',
    '/%EF%BF%BD'
  ])
  t.strictSame(['/API/a', '/api', '/Boo\u212as'].map(foldPath), ['/api/a', '/api', '/boo\u212as'])
})
