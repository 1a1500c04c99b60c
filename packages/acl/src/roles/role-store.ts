/** Static roles: names of the roles that principals are in, by mappings and by roles that hold roles. */
import { measureCache, RecentCache } from '@fastback/auth/service'
import type { MaybePromise, ModelClass, ModelRegistry } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { findRows } from '@fastback/core/remote'
import type { Caller, Principal } from '../caller.js'

const quiet = { notify: false }
const noNames: ReadonlySet<string> = new Set<string>([])

export class RoleStore {
  readonly #names: RecentCache<ReadonlySet<string>>

  /** @param ttl milliseconds that a change by another process may go unseen */
  constructor (readonly registry: ModelRegistry, ttl: number) {
    this.#names = new RecentCache({ size: 10_000, ttl })
    measureCache(registry, 'roles', this.#names)
  }

  /** Forgets what is known: roles or mappings were changed. */
  clear (): void {
    this.#names.clear()
  }

  /** Names of the static roles of a caller. */
  namesOf (caller: Caller): MaybePromise<ReadonlySet<string>> {
    const { principals } = caller
    if (principals.length === 0) return noNames
    if (principals.length === 1) return this.#ofPrincipal(principals[0] as Principal)
    const all = principals.map(principal => this.#ofPrincipal(principal))
    return all.some(isPromise)
      ? Promise.all(all).then(union)
      : union(all as Array<ReadonlySet<string>>)
  }

  #ofPrincipal (principal: Principal): MaybePromise<ReadonlySet<string>> {
    const key = `${principal.type}:${String(principal.id)}`
    return this.#names.getOr(key, () => this.#look(principal))
  }

  #look ({ type, id }: Principal): MaybePromise<ReadonlySet<string>> {
    const Role = this.#attached('Role')
    const Mapping = this.#attached('RoleMapping')
    if (Role === undefined || Mapping === undefined) return noNames
    const names = new Set<string>()
    const seen = new Set<string>()
    // Roles that hold the ones just found are looked for until there are no further ones. A column whose collation
    // takes two texts for one finds those of others as well (security.md, S-173).
    const level = (principalType: string, principals: readonly string[]): MaybePromise<ReadonlySet<string>> => {
      const where = { principalType, principalId: principals.length === 1 ? principals[0] : { inq: principals } }
      return chain(findRows(Mapping.compiled, { where }, quiet), found => {
        const mappings = found.filter(mapping => principals.includes(String(mapping.principalId)))
        const ids = [...new Set(mappings.map(mapping => mapping.roleId))].filter(roleId => !seen.has(String(roleId)))
        if (ids.length === 0) return names
        for (const each of ids) seen.add(String(each))
        return chain(findRows(Role.compiled, { where: { [idName(Role)]: { inq: ids } } }, quiet), roles => {
          for (const role of roles) names.add(String(role.name))
          return roles.length === 0
            ? names
            : level('ROLE', roles.flatMap(role => [String(role.name), String(role[idName(Role)])]))
        })
      })
    }
    return level(type, [String(id)])
  }

  #attached (name: string): ModelClass | undefined {
    const Model = this.registry.findModel(name) === undefined ? undefined : this.registry.getModelByType(name)
    return Model?.dataSource === null ? undefined : Model
  }
}

const idName = (Model: ModelClass): string => Model.getIdName() ?? 'id'
const union = (sets: ReadonlyArray<ReadonlySet<string>>): ReadonlySet<string> => new Set(sets.flatMap(set => [...set]))
