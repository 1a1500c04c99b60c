/** Which hosts a call may reach, and which of them may stand beside this server (service-connectors.md, SC-S4). */
import { isIP } from 'node:net'
import type { Outgoing } from '@fastback/core/outgoing'

/** `trusted`: the configuration names it. `guarded`: only its public addresses. `refused`: not at all. */
export type Standing = 'trusted' | 'guarded' | 'refused'

/**
 * ```js
 * new HostRules(['*.example.org'], outgoing).standing(new URL('https://eu.example.org/'), undefined) // 'guarded'
 * ```
 */
export class HostRules {
  readonly #literal = new Set<string>()
  readonly #suffixes: string[] = []

  /** @param allowHosts names, and `*.` before a name for all below it */
  constructor (allowHosts: readonly string[], readonly outgoing: Outgoing) {
    for (const each of allowHosts) {
      const name = each.toLowerCase()
      if (name.startsWith('*.')) this.#suffixes.push(name.slice(1))
      else this.#literal.add(new URL(`http://${isIP(name) === 6 ? `[${name}]` : name}`).hostname)
    }
  }

  /** @param configured the host that the configuration names for this call, where it does */
  standing ({ protocol, hostname }: URL, configured: string | undefined): Standing {
    if (protocol !== 'http:' && protocol !== 'https:') return 'refused'
    if (hostname === configured || this.#literal.has(hostname)) return 'trusted'
    if (!this.#suffixes.some(suffix => hostname.endsWith(suffix))) return 'refused'
    const address = hostname.replace(/^\[|\]$/g, '')
    return isIP(address) === 0 || this.outgoing.permits(address) ? 'guarded' : 'refused'
  }
}
