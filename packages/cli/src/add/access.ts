/** Who may use a new model (generators.md, GE-M7): closed until somebody says otherwise. */
import { basesOf, type Project } from './project.js'

export const accessForms = ['private', 'owner', 'open'] as const
/**
 * `private`: nobody, until rules allow; `owner`: who is logged in makes rows, and has those; `open`: everybody does
 * everything.
 */
export type AccessForm = typeof accessForms[number]

const row = (principalId: string, permission: string, accessType = '*', rows?: 'own'): object => ({
  accessType,
  principalType: 'ROLE',
  principalId,
  permission,
  ...(rows === undefined ? {} : { rows })
})

export const denied = row('$everyone', 'DENY')

/** Who is logged in reads and writes their own rows. Methods of the application are opened one by one. */
const ownRows = [
  denied,
  row('$authenticated', 'ALLOW', 'READ', 'own'),
  row('$authenticated', 'ALLOW', 'WRITE', 'own')
]

export interface Access {
  readonly acls: readonly object[]
  readonly relations: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  /** Further keys of the definition. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The rules of a new model, and the relation by which its owner is known. */
export function accessOf (project: Project, form: AccessForm): Access {
  if (form === 'open') return { acls: [], relations: {}, settings: {}, warnings: ['Everybody may do everything with it.'] }
  if (form === 'private') return { acls: [denied], relations: {}, settings: {}, warnings: [] }
  const [user = 'User', ...others] = userModels(project)
  return {
    acls: ownRows,
    relations: { owner: { type: 'belongsTo', model: user, foreignKey: 'ownerId' } },
    // Else whoever makes a row says whose it is.
    settings: { ownerFromToken: true },
    warnings: others.length === 0
      ? []
      : [`Its owner is a "${user}". Where it can be one of ${others.join(', ')}, edit the relation "owner".`]
  }
}

/** The models of users that a folder has: its own, else the built-in one. */
export function userModels (project: Project): string[] {
  const { config } = project
  const bases = basesOf(project)
  const isUser = (name: unknown, seen: readonly unknown[] = []): boolean => name === 'User' ||
    (typeof name === 'string' && !seen.includes(name) && isUser(bases.get(name), [...seen, name]))
  const own = [...bases.keys()].filter(name => isUser(name))
  return own.length > 0 || config.User === undefined ? own : ['User']
}
