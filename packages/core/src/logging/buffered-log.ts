/** The log of a registry that was made without one: lines wait for the server that the registry is given to. */
import type { ConnectorLog } from '../data-source/connector.js'

type Level = 'warn' | 'info' | 'debug'
type Line = [details: object, message: string]

/** Lines that wait at most; later ones are lost. */
const most = 100

/** A log that hands on what it is told once there is somebody to tell. */
export class BufferedLog implements ConnectorLog {
  #to: ConnectorLog | undefined
  readonly #held: Array<{ readonly level: Level, readonly args: Line }> = []

  // Of the object's own, so that a copy of it (`{ ...log, warn }`) has them.
  readonly warn = (...args: Line): void => { this.#tell('warn', args) }
  readonly info = (...args: Line): void => { this.#tell('info', args) }
  readonly debug = (...args: Line): void => { this.#tell('debug', args) }

  /** From here on `log` is told, first of all what waits. The first one counts: it is the one that opens the models. */
  handOnTo (log: ConnectorLog): void {
    if (this.#to !== undefined) return
    this.#to = log
    for (const { level, args } of this.#held.splice(0)) log[level](...args)
  }

  #tell (level: Level, args: Line): void {
    if (this.#to !== undefined) this.#to[level](...args)
    // What is told to find a fault is of no use later.
    else if (level !== 'debug' && this.#held.length < most) this.#held.push({ level, args })
  }
}
