/** Events of model classes: `Model.on('changed', …)`. */
import type { ModelState } from '../interfaces/model-state.js'

export class EmittingModel {
  declare static readonly state: ModelState

  /* An event emitter per class, made when it is first used. */
  static on (event: string, listener: (...args: any[]) => void): unknown {
    this.state.events.on(event, listener)
    return this
  }

  static once (event: string, listener: (...args: any[]) => void): unknown {
    this.state.events.once(event, listener)
    return this
  }

  static off (event: string, listener: (...args: any[]) => void): unknown {
    this.state.events.off(event, listener)
    return this
  }

  static addListener (event: string, listener: (...args: any[]) => void): unknown {
    return this.on(event, listener)
  }

  static setMaxListeners (count: number): unknown {
    this.state.events.setMaxListeners(count)
    return this
  }

  static listeners (event: string): Function[] {
    return this.state.events.listeners(event)
  }

  static listenerCount (event: string): number {
    return this.state.events.listenerCount(event)
  }

  static removeAllListeners (event?: string): unknown {
    this.state.events.removeAllListeners(event)
    return this
  }

  static removeListener (event: string, listener: (...args: any[]) => void): unknown {
    return this.off(event, listener)
  }

  static emit (event: string, ...args: unknown[]): boolean {
    return this.state.events.emit(event, ...args)
  }
}
