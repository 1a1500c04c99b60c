/** Passwords that were made public (OI-262): where they are looked up. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { ModelRegistry } from '@fastback/core'
import { InvalidOptionsError } from '../errors.js'
import type { IsBreached, PasswordPolicy } from './password-policy.js'

/** Milliseconds; who takes longer is not waited for. */
const patience = 1000

/** Bytes of a range: those of today have some forty thousand. */
const longestRange = 1_000_000

/**
 * What the policy's `breached` stands for, as a function that fails open: where nobody says within a second that a
 * password was made public, it was not, and the log says so.
 *
 * ```js
 * const isBreached = await breachedBy(registry, ['password1'])
 * await isBreached?.('password1', 'Customer') // true
 * ```
 * @throws FBK_AUTH_INVALID_OPTIONS for a module that cannot be loaded, or that exports no function
 */
export async function breachedBy (
  registry: ModelRegistry, given: PasswordPolicy['breached']
): Promise<((password: string, model: string) => Promise<boolean>) | undefined> {
  if (given === undefined) return undefined
  const ask = await askerOf(registry, given)
  return async (password, model) => {
    const sha1 = createHash('sha1').update(password).digest('hex').toUpperCase()
    const over = new AbortController()
    try {
      const late = setTimeout(patience, undefined, { signal: over.signal }).then(() => {
        throw new Error(`no response within ${patience} ms`)
      })
      const asked = (async () => await ask(password, { sha1, model }))()
      // The one that was not waited for may fail later.
      for (const each of [asked, late]) each.catch(() => {})
      return await Promise.race([asked, late]) === true
    } catch (error) {
      // The message of an error may have the password in it.
      registry.log.warn({ model, error: (error as Error).name }, 'nobody could say whether a password was made public; it is taken')
      return false
    } finally {
      over.abort()
    }
  }
}

async function askerOf (
  registry: ModelRegistry, given: NonNullable<PasswordPolicy['breached']>
): Promise<IsBreached> {
  if (typeof given === 'function') return given
  if (typeof given === 'string') return await fromModule(registry, given)
  if (!('url' in given)) {
    const list = new Set(given.map(each => each.normalize('NFC').toLowerCase()))
    return password => list.has(password.toLowerCase())
  }
  return (_password, { sha1 }) => isInRange(given.url, sha1)
}

async function fromModule ({ baseDir }: ModelRegistry, name: string): Promise<IsBreached> {
  const file = path.resolve(baseDir, name)
  let found: unknown
  try {
    found = ((await import(pathToFileURL(file).href)) as { default?: unknown }).default
  } catch (error) {
    throw new InvalidOptionsError(`the module "${name}" of "passwordPolicy.breached" cannot be loaded: ${(error as Error).message}`)
  }
  if (typeof found === 'function') return found as IsBreached
  throw new InvalidOptionsError(`the module "${name}" of "passwordPolicy.breached" must export a function by default: async (password, { sha1, model }) => true or false`)
}

/** Lines of `<the other 35 digits>:<how often>`; those that fill a response up have a 0. */
async function isInRange (url: string, sha1: string): Promise<boolean> {
  const response = await fetch(`${url.replace(/\/$/, '')}/${sha1.slice(0, 5)}`, {
    redirect: 'error', signal: AbortSignal.timeout(patience), headers: { 'add-padding': 'true', 'user-agent': 'fastback' }
  })
  if (response.status !== 200 || response.body === null) throw new Error(`status ${response.status}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > longestRange) throw new Error('the range is too long')
  }
  const rest = sha1.slice(5)
  const count = text.split(/\r?\n/).find(line => line.slice(0, rest.length).toUpperCase() === rest)?.slice(rest.length + 1)
  return Number(count) > 0
}
