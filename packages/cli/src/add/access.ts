/** Who may use a new model (generators.md, GE-M7): closed until somebody says otherwise. */
import path from 'node:path'
import { fileNameOf, planExport } from '../model-files/index.js'
import { identifier, isIdentifier, lineComments, text } from '../source-text.js'
import { basesOf, writeNew, type Project, type Replacing } from './project.js'
import { planScript, type Script } from './scripts.js'

export const accessForms = ['private', 'owner', 'open'] as const
/**
 * `private`: nobody, until rules allow; `owner`: who is logged in makes rows, and has those; `open`: everybody does
 * everything.
 */
export type AccessForm = typeof accessForms[number]

const row = (principalId: string, permission: string, property?: string | readonly string[]): object => ({
  accessType: property === undefined ? '*' : 'EXECUTE',
  principalType: 'ROLE',
  principalId,
  permission,
  ...(property === undefined ? {} : { property })
})

export const denied = row('$everyone', 'DENY')

export interface Access {
  readonly acls: readonly object[]
  readonly relations: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  /** Further keys of the definition. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The user model whose users have the rows: then `planOwnLists` is needed as well. */
  readonly owner?: string
}

/**
 * Nothing in a list is decided by `$owner`: who is logged in may list, and a hook shows everybody
 * their own.
 */
const listing = ['create', 'find', 'findOne', 'count']

/** The rules of a new model, and the relation by which its owner is known. */
export function accessOf (project: Project, form: AccessForm): Access {
  if (form === 'open') return { acls: [], relations: {}, settings: {}, warnings: ['Everybody may do everything with it.'] }
  if (form === 'private') return { acls: [denied], relations: {}, settings: {}, warnings: [] }
  const [user = 'User', ...others] = userModels(project)
  return {
    acls: [denied, row('$authenticated', 'ALLOW', listing), row('$owner', 'ALLOW')],
    relations: { owner: { type: 'belongsTo', model: user, foreignKey: 'ownerId' } },
    // Else whoever makes a row says whose it is.
    settings: { ownerFromToken: true },
    owner: user,
    warnings: others.length === 0
      ? []
      : [`Its owner is a "${user}". Where it can be one of ${others.join(', ')}, edit the relation "owner".`]
  }
}

/**
 * Plans the script that narrows lists, counts and streams of a model to the rows of who asks. Other user models may
 * have users of the same id: a token that names one of these has no rows here.
 * @returns what it comes to, one line each
 * @throws FBK_CLI_EXISTS
 */
export function planOwnLists (project: Project, model: string, { owner }: Access, replacing: Replacing): string[] {
  if (owner === undefined) return []
  const { bootScripts, hooks } = project.layout
  const name = `${fileNameOf(model)}-owners`
  const script = {
    about: `Everybody finds their own rows of ${model}. Let those through who may see the others' as well.\n` +
      'What the application reads for itself, without a token, is not narrowed.',
    body: [
      `${isIdentifier(model) ? `app.models.${model}` : `app.models[${text(model)}]`}.observe('access', async ctx => {`,
      '  const { accessToken } = ctx.options',
      '  if (!accessToken) return',
      '  const { userId, principalType } = accessToken',
      `  const isTheirs = [undefined, null, '', 'USER', ${text(owner)}].includes(principalType)`,
      '  const owners = isTheirs && userId !== undefined && userId !== null ? [userId] : []',
      '  ctx.query.where = { and: [ctx.query.where || {}, { ownerId: { inq: owners } }] }',
      '})'
    ]
  }
  const file = hooks === undefined
    ? planScript(project, `${bootScripts}/${name}`, { ...script, name: 'showOwn', parameters: 'app' }, replacing)
    : planHook(project, `${path.posix.dirname(hooks)}/${name}.ts`, { ...script, name: `showOwn${identifier(model)}` }, replacing)
  return [`${model}: its lists show everybody their own rows, by ${file}`]
}

/** A function of an application in code, which its module of hooks exports. */
function planHook (
  { changes, layout }: Project, file: string, { about, body, name }: Pick<Script, 'about' | 'body'> & { name: string },
  replacing: Replacing
): string {
  writeNew(changes, file, [
    "import type { FastifyInstance } from 'fastify'",
    '',
    ...lineComments(about),
    `export function ${name} (app: FastifyInstance): void {`,
    ...(body ?? []).map(line => `  ${line}`),
    '}',
    ''
  ].join('\n'), `The module "${file}"`, replacing)
  planExport(changes, layout.hooks as string, file)
  return file
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
