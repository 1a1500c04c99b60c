import path from 'node:path'
import { defineCommand, runCommand } from 'citty'
import { debug, dryRun, json } from '../common-options.js'
import { listOf, tableArgs, tableLines, tableOptions } from './discover.js'
import { UsageError } from '../errors.js'
import { newApplication, type NewApplication } from '../new-application.js'
import { newOverDatabase, type NewOverDatabase } from '../new-over-database.js'
import { defaultTemplate, templates } from '../templates.js'
import type { Terminal } from '../terminal.js'

export const newCommand = defineCommand({
  meta: { name: 'new', description: 'Make an application from a template' },
  args: {
    name: { type: 'positional', description: 'Name of the application, or the path of its folder', required: false },
    template: {
      type: 'string',
      alias: ['t'],
      description: `One of ${templates.map(({ name }) => name).join(', ')}. Default: ${defaultTemplate}`,
      valueHint: 'name'
    },
    install: { type: 'boolean', description: 'Install the dependencies' },
    database: {
      type: 'string',
      description: 'A database that is there already, whose tables become the models: postgres://…, mysql://…, sqlite:FILE',
      valueHint: 'url'
    },
    docker: { type: 'boolean', description: 'Add a Dockerfile, and a compose file with PostgreSQL and Redis' },
    serve: { type: 'boolean', description: 'Serve the application at once' },
    ...tableArgs,
    yes: { type: 'boolean', alias: ['y'], description: 'Ask nothing; take the defaults' },
    ...dryRun,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const ask = terminal.interactive && args.yes !== true && args.json !== true
    let answers: { name?: string | undefined; template?: string | undefined; install?: boolean | undefined } = {
      name: args.name,
      template: args.template,
      install: args.install
    }
    if (ask && (answers.name === undefined || answers.template === undefined)) {
      const { askForApplication } = await import('../prompts.js')
      answers = await askForApplication(answers)
    }
    const name = answers.name ?? (args.yes === true ? 'my-app' : undefined)
    if (name === undefined) throw new UsageError('Which name? Call "fastback new NAME", or add --yes for "my-app".')
    const { template, install } = answers
    const options = { name, template, install, docker: args.docker, dryRun: args['dry-run'], cwd: terminal.cwd }
    const { database, open } = args
    const over = database === undefined
      ? undefined
      : await newOverDatabase({ ...options, ...tableOptions(args), tables: listOf(args.tables), database, open })
    const made = over ?? await newApplication(options)
    if (over?.written === true && args.json !== true) {
      for (const line of [...tableLines(over), '', ...overDatabaseLines(over, open === true), '']) terminal.print(line)
    }
    terminal.print(args.json === true ? JSON.stringify(made, null, 2) : report(made))
    if (args.serve !== true || !made.written) return
    const environment = database === undefined ? [] : ['--env-file', path.join(made.folder, '.env')]
    const { serveCommand } = await import('./serve.js')
    await runCommand(serveCommand, { rawArgs: [made.folder, ...environment], data: terminal })
  }
})

/** What was found, what of it cannot be reached, and where what is not in the database will be. */
function overDatabaseLines ({ models, leftOut, dataSource }: NewOverDatabase, isOpen: boolean): string[] {
  const published = models.filter(each => each.published)
  const others = models.filter(each => !each.published)
  return [
    `Found ${counted(models.length, 'table')}${leftOut.length === 0 ? '' : ` and ${counted(leftOut.length, 'view')}`} in the data source "${dataSource}": ` +
      `${counted(models.length, 'model')}, ${published.length} of them published.`,
    ...(others.length === 0
      ? []
      : [`Not published: ${others.map(({ model }) => model).join(', ')}. Why stands at each; ` +
          '"public": true in server/model-config.json publishes it all the same.']),
    ...(published.length === 0 || isOpen
      ? []
      : ['A rule denies everybody every call until others allow: "fastback add acl" writes them, --open leaves it out.']),
    'Users, their tokens and roles are not in that database: they are in a second one, the data source "db" of ' +
      'server/datasources.json (SQLite, data/app.db).'
  ]
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function report (made: NewApplication): string {
  if (!made.written) return [`Would write into ${made.folder}:`, ...made.files.map(file => `  ${file}`)].join('\n')
  return [
    `Made ${made.name} from the template ${made.template}, in ${made.folder}. Next:`,
    '',
    ...made.nextSteps.map(step => `  ${step}`),
    '',
    ...(made.checkout === undefined ? [] : [`${packagesOf(made, made.checkout)}.`, ''])
  ].join('\n')
}

const packagesOf = ({ files }: NewApplication, checkout: string): string => files.some(file => file.startsWith('vendor/'))
  ? `The packages of ${checkout} are in its folder vendor, for the container`
  : `Its package.json links to the packages in ${checkout}`
