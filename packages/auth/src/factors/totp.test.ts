import { createHash } from 'node:crypto'
import t from 'tap'
import { base32, stepAt, stepOfCode, totpCode, totpUri } from './totp.js'

/** RFC 6238, appendix B, for SHA-1: the last six of eight digits. */
const vectors = [
  [59, '94287082'], [1_111_111_109, '07081804'], [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'], [2_000_000_000, '69279037'], [20_000_000_000, '65353130']
] as const
const key = Buffer.from('12345678901234567890')

t.test('OI-220: the codes of RFC 6238, and of RFC 4226 by counter', async t => {
  for (const [time, code] of vectors) t.equal(totpCode(key, stepAt(time * 1000)), code.slice(2))
  const hotp = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  t.same(hotp.map((_, step) => totpCode(key, step)), hotp)
})

t.test('OI-220: base32 without padding (RFC 4648)', async t => {
  const pairs = [['', ''], ['f', 'MY'], ['fo', 'MZXQ'], ['foo', 'MZXW6'], ['foob', 'MZXW6YQ'], ['fooba', 'MZXW6YTB'], ['foobar', 'MZXW6YTBOI']]
  for (const [text, encoded] of pairs) t.equal(base32(Buffer.from(text as string)), encoded)
  t.equal(base32(Buffer.alloc(20, 255)).length, 32)
})

t.test('OI-221: the address for applications', async t => {
  t.equal(totpUri('My Shop', 'ann+x@x.test', key),
    `otpauth://totp/My%20Shop:ann%2Bx%40x.test?secret=${base32(key)}&issuer=My%20Shop&algorithm=SHA1&digits=6&period=30`)
})

/** Pseudo-random numbers that are the same each time. */
const random = (seed: string, below: number): number => createHash('sha256').update(seed).digest().readUInt32BE(0) % below

t.test('OI-223: which steps are accepted, by a plain model, in 300 random series of 20 tries', async t => {
  let accepted = 0
  for (let series = 0; series < 300; series++) {
    let now = 1_700_000_000_000 + random(`${series} begins`, 1_000_000_000)
    let lastStep: number | undefined
    const used = new Set<number>()
    for (let i = 0; i < 20; i++) {
      now += random(`${series} ${i} waits`, 40_000)
      const current = Math.floor(now / 30_000)
      const tried = current + random(`${series} ${i} tries`, 9) - 4
      // The plain model: at most one step away, never used, and none older than one that was used.
      const expected = Math.abs(tried - current) <= 1 && !used.has(tried) && tried > Math.max(0, ...used)
      const found = stepOfCode(key, totpCode(key, tried), now, lastStep)
      if (found !== (expected ? tried : undefined)) t.fail(`series ${series}, try ${i}: ${String(found)}`)
      if (found !== undefined) {
        lastStep = found
        used.add(found)
        accepted++
      }
    }
  }
  t.ok(accepted > 300, `${accepted} accepted`)
})

t.test('OI-224: what is no text of six digits is of no step', async t => {
  const now = 59_000
  t.equal(stepOfCode(key, '287 082', now), 1, 'blanks are taken out')
  const others = [
    287_082, ['287082'], { a: 1 }, null, undefined, true, '', '28708', '2870820', '28708a', '-87082', '0x2870',
    '２８７０８２', '287082'.repeat(1000), ' '.repeat(100_000) + '287082'
  ]
  for (const each of others) t.equal(stepOfCode(key, each, now), undefined, JSON.stringify(each)?.slice(0, 40))
})
