// In each test's process: argon2id with the parameters of passwords takes 64 KiB and one pass, a thousandth of the
// work: a login costs 30 ms of the processor less. Such a text says what it was made with, so that any other process
// can compare it, and passes here for one of today's. A wrong password takes as long as ever, for known users as for
// unknown ones.
import { createRequire } from 'node:module'

const usual = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const quick = { memoryCost: 64, timeCost: 1, parallelism: 1 }
const [usualText, quickText] = [usual, quick].map(each => `m=${each.memoryCost},t=${each.timeCost},p=${each.parallelism}`)
const isUsual = options => Object.entries(usual).every(([name, value]) => options[name] === value)

export function hashQuickly () {
  const argon2 = createRequire(new URL('../../packages/auth/package.json', import.meta.url))('argon2')
  const { hash, verify, needsRehash } = argon2
  argon2.hash = async (password, options = {}) =>
    await hash(password, isUsual(options) && options.raw !== true ? { ...options, ...quick } : options)
  argon2.verify = async (text, password, options) =>
    await verify(text, password, options) ||
    (text.includes(quickText) && await verify(text.replace(quickText, usualText), password, options))
  argon2.needsRehash = (text, options = {}) =>
    needsRehash(isUsual(options) ? text.replace(quickText, usualText) : text, options)
}
