/** Names of tools: `Note_find`. */
import type { SharedMethod } from '@fastback/core'

/** What the protocol takes, and all clients do. */
const longest = 64

/** Gives each tool a name of its own. */
export class ToolNames {
  readonly #taken = new Set<string>()

  take ({ modelName, name }: Pick<SharedMethod, 'modelName' | 'name'>): string {
    const wanted = `${modelName}_${name}`.replaceAll(/[^A-Za-z0-9]+|_+/g, '_').replaceAll(/^_|_$/g, '').slice(0, longest)
    let free = wanted
    for (let count = 2; this.#taken.has(free); count++) free = `${wanted.slice(0, longest - 4)}_${count}`
    this.#taken.add(free)
    return free
  }
}
