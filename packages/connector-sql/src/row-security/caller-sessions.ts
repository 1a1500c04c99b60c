/**
 * Sessions of callers: for the length of a transaction, or of a part of one, the session has the role that policies
 * bind, and settings that say who asks. Both end with the transaction, so that the next one who gets the connection
 * has nothing of them.
 */
import type { CallerSettings, MaybePromise, StoreCaller } from '@fastback/core'
import { callerSettings, chain } from '@fastback/core/connector'
import type { Acting, Connection } from '../dialects/driver.js'
import { quoteText } from '../dialects/postgres/quote.js'

const names: readonly string[] = Object.values(callerSettings)

export class CallerSessions {
  readonly #role: string
  /** By the settings of a caller: what a request asks for several times is written once. */
  readonly #written = new WeakMap<CallerSettings, { reads?: Acting, writes?: Acting }>()
  readonly #leave: string

  constructor (readonly role: string, quote: (name: string) => string) {
    this.#role = quote(role)
    this.#leave = `RESET ROLE; ${setAll({})}`
  }

  /** Does something as the caller. */
  run<T> (
    { settings, reads }: StoreCaller, connection: Connection, work: (connection: Connection) => MaybePromise<T>
  ): MaybePromise<T> {
    return chain(settings(), found => {
      if (connection.actingAs === undefined) throw new TypeError('This connection has no roles to act as')
      return connection.actingAs(this.#acting(found, reads ? 'reads' : 'writes'), work)
    })
  }

  #acting (settings: CallerSettings, kind: 'reads' | 'writes'): Acting {
    let written = this.#written.get(settings)
    if (written === undefined) this.#written.set(settings, written = {})
    const known = written[kind]
    if (known !== undefined) return known
    const all = kind === 'writes' ? { ...settings, [callerSettings.writes]: 'on' } : settings
    return (written[kind] = {
      enter: `${setAll(all)}; SET LOCAL ROLE ${this.#role}`,
      leave: this.#leave,
      before: { sql: before, values: [...names.map(name => textOf(all, name)), this.role] }
    })
  }
}

/** All of them each time: what an earlier part of the transaction has set is gone. A text with a NUL says nothing. */
function setAll (settings: CallerSettings): string {
  return `SELECT ${names.map(name => `set_config('${name}', ${quoteText(textOf(settings, name))}, true)`).join(', ')}`
}

function textOf (settings: CallerSettings, name: string): string {
  const value = settings[name] ?? ''
  return value.includes('\0') ? '' : value
}

/** One statement for all callers, which a connection prepares once. */
const before = `SELECT ${[...names, 'role'].map((name, i) => `set_config('${name}', $${String(i + 1)}, true)`).join(', ')}`
