// In each test's process: RSA keys of 2048 bits are taken in turn from some that were made before all tests. Making one
// takes a fifth of a second of the processor, which was a fifth of what the tests of OpenID cost. Two that are made one
// after the other differ; what is about making keys has those of other sizes and kinds.
import crypto from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const file = fileURLToPath(new URL('../../.cache/rsa-keys-of-tests.json', import.meta.url))
/** More than one server has at a time. */
const many = 16
const { generateKeyPair, generateKeyPairSync } = crypto
const generate = promisify(generateKeyPair)

/** Makes the keys, where they are not there yet; before the processes of tests begin. */
export async function makeRsaKeys () {
  if (existsSync(file)) return
  const pairs = await Promise.all(Array.from({ length: many }, () => generate('rsa', { modulusLength: 2048 })))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(pairs.map(pair => pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))))
}

let known
let next = process.pid

function taken () {
  known ??= JSON.parse(readFileSync(file, 'utf8')).map(text => {
    const privateKey = crypto.createPrivateKey(text)
    return { privateKey, publicKey: crypto.createPublicKey(privateKey) }
  })
  return known[next++ % known.length]
}

/** Those that are taken are objects, which an encoding would make texts of. */
const isUsual = (type, { modulusLength, ...others } = {}) =>
  type === 'rsa' && modulusLength === 2048 && Object.keys(others).length === 0

/** Has `generateKeyPair` and `generateKeyPairSync` take them. */
export function takeRsaKeys () {
  crypto.generateKeyPairSync = (type, options) =>
    isUsual(type, options) ? taken() : generateKeyPairSync(type, options)
  crypto.generateKeyPair = (type, options, done) => {
    if (!isUsual(type, options)) return generateKeyPair(type, options, done)
    const { publicKey, privateKey } = taken()
    setImmediate(done, null, publicKey, privateKey)
  }
  crypto.generateKeyPair[promisify.custom] = async (type, options) =>
    isUsual(type, options) ? taken() : await generate(type, options)
  syncBuiltinESMExports()
}
