/** What a service says once is not made again for each part of its response: S-182. */
import tap from 'tap'
import { readQName } from '../../../packages/connector-soap/src/xml/names.js'
import { readXml } from '../../../packages/connector-soap/src/xml/read-xml.js'

tap.test('S-182 elements inherit the prefixes that are said around them', async t => {
  // Seen to fail: each element had a list of all 2,001; 3.7 MB of such XML took minutes, and all memory
  const prefixes = Array.from({ length: 2000 }, (_, i) => `xmlns:p${i}="urn:${i}"`).join(' ')
  const parts = Array.from({ length: 50 }, (_, i) => `<b xmlns:own="urn:own${i}"/>`).join('')
  const root = await readXml(`<a ${prefixes}>${parts}</a>`)
  t.equal(root.children.length, 50)
  for (const [i, child] of root.children.entries()) {
    if (Object.keys(child.scope).length !== 1) t.fail(`${i} has ${Object.keys(child.scope).length}`)
  }
  const [child] = root.children
  if (child === undefined) throw new Error('no element')
  t.strictSame(readQName(child, 'p1999:x'), { uri: 'urn:1999', name: 'x' })
  t.strictSame(readQName(child, 'own:x'), { uri: 'urn:own0', name: 'x' })
  for (const name of ['constructor', '__proto__', 'none']) t.strictSame(readQName(child, `${name}:x`), { uri: '', name: 'x' })
})
