/** `fastback add acl` (generators.md, section 6). */
import { isDeepStrictEqual } from 'node:util'
import { reviewAccess, ruleOf } from '@fastback/acl/review'
import type { AclDefinition } from '@fastback/core'
import { nearest, rulesToExtend } from '@fastback/core/remote'
import { UsageError } from '../errors.js'
import { withApplication } from '../load-application.js'
import type { Generator } from './generator.js'
import { fileOfModel, openProject, valueAt, type Addition, type Project } from './project.js'
import { namesOf, textOf, type QuestionContext, type Choice } from './questions.js'

const accessTypes = ['*', 'READ', 'WRITE', 'EXECUTE'] as const
const permissions = ['ALLOW', 'DENY'] as const
const roles = ['$everyone', '$unauthenticated', '$authenticated', '$owner']

/** A row of access control as it is asked for. */
export interface NewAcl {
  /** Default: every model that has a file in the folder. */
  readonly model?: string | undefined
  /** Names of methods; those of instances with `prototype.` or without. Default: all. */
  readonly methods?: readonly string[] | undefined
  /** Of the methods that are meant, where none are named. Default: `*`. */
  readonly accessType?: typeof accessTypes[number] | undefined
  /** Default: `$everyone`. */
  readonly role?: string | undefined
  readonly permission: typeof permissions[number]
  /** As in `loadFolder`. */
  readonly env?: string | undefined
}

/**
 * Plans a row in the `acls` of a model, or of all. `notes` say what it decides, warnings where it decides nothing.
 *
 * ```js
 * const { changes, notes } = await addAcl('my-app', {
 *   model: 'Coffee', role: '$owner', permission: 'ALLOW', methods: ['deleteById']
 * })
 * ```
 * @param dir the application folder, which has to start
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_UNKNOWN_MODEL; FBK_CLI_USAGE for a method that there is not; what stops the folder
 */
export async function addAcl (dir: string, { model, env, ...asked }: NewAcl): Promise<Addition> {
  const project = openProject(dir)
  const models = model === undefined ? [...project.models.keys()] : [model]
  const row = rowOf(asked)
  const notes: string[] = []
  const warnings: string[] = []
  const files = models.map(name => [name, fileOfModel(project, name)] as const)
  const found = files.map(([name, file]) => [name, file, valueAt(project.changes.readJson(file), ['acls'])] as const)
    .filter(([,, rows]) => !(Array.isArray(rows) && rows.some(each => isDeepStrictEqual(each, row))))
  if (found.length === 0) return { changes: project.changes, notes, warnings, next: [] }
  await withApplication(project.folder, { env }, async ({ registry, fastify }) => {
    if (!fastify.hasRequestDecorator('authorizedRoles')) {
      warnings.push('Access control is off: no boot script calls enableAuth(), and rows do nothing.')
    }
    for (const [name, file, rows] of found) {
      const Model = registry.getModel(name)
      const reviewed = await reviewRow(Model, row)
      notes.push(...reviewed.notes)
      warnings.push(...reviewed.warnings)
      if (rows !== undefined && !Array.isArray(rows)) throw new UsageError(`"acls" of "${name}" is no list of rows.`)
      project.changes.setJson(file, rows === undefined ? ['acls'] : ['acls', -1], rows === undefined ? [row] : row)
    }
  })
  return { changes: project.changes, notes, warnings, next: models.slice(0, 1).map(name => `fastback acl explain ${name} METHOD`) }
}

/** GE-C1. */
const rowOf = ({ methods = [], accessType = '*', role = '$everyone', permission }: Omit<NewAcl, 'model' | 'env'>): AclDefinition => ({
  accessType: methods.length > 0 ? 'EXECUTE' : accessType,
  principalType: 'ROLE',
  principalId: role,
  permission,
  ...(methods.length === 0 ? {} : { property: methods.length === 1 ? methods[0] as string : [...methods] })
})

type Model = Parameters<typeof reviewAccess>[0]

/** What the row would come to; the application is one that is thrown away. */
async function reviewRow (Model: Model, row: AclDefinition): Promise<{ notes: string[], warnings: string[] }> {
  const known = (await reviewAccess(Model)).flatMap(({ operation }) => operation.names)
  for (const method of [row.property ?? []].flat()) {
    const bare = method.replace(/^prototype\./, '')
    if (known.includes(method) || known.includes(bare)) continue
    const better = nearest(bare, [...new Set(known)])
    throw new UsageError(`"${Model.modelName}" shares no method "${method}".${better === undefined ? '' : ` Did you mean "${better}"?`} See "fastback routes".`)
  }
  rulesToExtend(Model as never, Model.modelName).push(row)
  const reviews = await reviewAccess(Model)
  const rule = ruleOf(row, true)
  const concerned = reviews.filter(review => review.concerns(rule))
  const decides = concerned.filter(({ plan }) => plan.rules.some(({ written }) => written === rule.written))
  const who = `${row.permission} ${row.principalId}`
  if (concerned.length === 0) {
    return { notes: [], warnings: [`${Model.modelName}: no method is of the type ${String(row.accessType)}, and the row decides nothing.`] }
  }
  const lost = concerned.filter(each => !decides.includes(each))
  const winner = lost[0]?.plan.rules.at(-1)
  return {
    notes: decides.length === 0 ? [] : [`${Model.modelName}: ${who} decides ${some(decides.map(nameOf))}`],
    warnings: winner === undefined
      ? []
      : [`${Model.modelName}: ${decides.length === 0 ? 'the row never decides' : `the row does not decide ${some(lost.map(nameOf))}`}: ` +
          `${winner.permission} ${winner.principalId}, ${[winner.methods ?? winner.accessType ?? '*'].flat().join(', ')} weighs more, and fits everybody.`]
  }
}

const nameOf = ({ method }: { readonly method: { readonly name: string } }): string => method.name

const some = (names: readonly string[]): string =>
  names.length <= 6 ? names.join(', ') : `${names.slice(0, 6).join(', ')} and ${names.length - 6} more`

/** What stands for every model among the answers. */
const all = 'all'

async function methodsOf (project: Project, model: string | undefined): Promise<readonly Choice[]> {
  const names = model === undefined || model === all ? [...project.models.keys()] : [model]
  return await withApplication(project.folder, {}, async ({ registry }) => {
    const reviews = await Promise.all(names.map(async name => await reviewAccess(registry.getModel(name))))
    return [...new Set(reviews.flat().map(nameOf))].map(value => ({ value }))
  })
}

const namesMethods = ({ answers, given }: QuestionContext): boolean => answers.scope === 'method' || given.method !== undefined

export const aclGenerator: Generator = {
  command: 'add acl',
  description: 'Add a row of access control to a model',
  questions: [
    {
      kind: 'choice',
      name: 'model',
      message: 'Which model?',
      positional: true,
      choices: ({ project }) => [{ value: all, hint: 'every model of the folder' }, ...[...project.models.keys()].map(value => ({ value }))],
      default: () => all
    },
    {
      kind: 'choice',
      name: 'scope',
      message: 'For what?',
      when: ({ given }) => given.method === undefined,
      choices: () => [{ value: 'all', hint: 'all methods' }, { value: 'method', hint: 'some methods' }],
      default: () => 'all'
    },
    {
      kind: 'words',
      name: 'method',
      message: 'Which methods?',
      when: namesMethods,
      choices: async ({ project, answers }) => await methodsOf(project, textOf(answers.model))
    },
    {
      kind: 'choice',
      name: 'access-type',
      message: 'Which type of access?',
      when: asked => !namesMethods(asked),
      choices: () => accessTypes.map(value => ({ value })),
      default: () => '*'
    },
    {
      kind: 'choice',
      name: 'role',
      message: 'Whose?',
      choices: () => roles.map(value => ({ value })),
      default: () => '$everyone',
      other: 'Name of the role?'
    },
    { kind: 'choice', name: 'permission', message: 'What then?', choices: () => permissions.map(value => ({ value })) }
  ],
  plan: async (dir, answers, { env }) => await addAcl(dir, {
    model: answers.model === all ? undefined : textOf(answers.model),
    methods: namesOf(answers.method),
    accessType: accessTypes.find(each => each === answers['access-type']),
    role: textOf(answers.role),
    permission: answers.permission === 'ALLOW' ? 'ALLOW' : 'DENY',
    env
  })
}
