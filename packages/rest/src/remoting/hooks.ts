/** Hooks around the calls of a `RemoteObjects`. */
import type { RemoteHook, RemoteHookMoment } from '@fastback/core'
import { listsOf, matches, type HookLists } from '../hooks/match.js'

export class CallHooks {
  readonly #lists = new Map<string, HookLists>()

  /** @param hooks those declared so far; they belong to anyone who gave them, and may be added to */
  constructor (readonly hooks: RemoteHook[] = []) {}

  add (moment: RemoteHookMoment, pattern: string, listener: RemoteHook['listener']): void {
    this.hooks.push({ moment, pattern, listener })
    this.#lists.clear()
  }

  /** Takes the hooks off that name a class. */
  removeClass (name: string): void {
    const others = this.hooks.filter(({ pattern }) => !pattern.startsWith(`${name}.`))
    this.hooks.splice(0, this.hooks.length, ...others)
    this.#lists.clear()
  }

  /** Those of a method, `Note.prototype.publish`. */
  of (stringName: string): HookLists {
    const known = this.#lists.get(stringName) ?? listsOf(this.hooks
      .filter(({ pattern }) => matches(pattern, stringName))
      .map(hook => ({ ...hook, ofApplication: true })))
    this.#lists.set(stringName, known)
    return known
  }
}
