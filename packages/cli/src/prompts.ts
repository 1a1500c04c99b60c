/** The questions of `fastback new`. Loaded only when somebody sits at a terminal. */
import { cancel, confirm, intro, isCancel, multiselect, select, text } from '@clack/prompts'
import { CancelledError } from './errors.js'
import { defaultTemplate, templates } from './templates.js'

export interface ApplicationChoices {
  readonly name?: string | undefined
  readonly template?: string | undefined
  readonly install?: boolean | undefined
}

/**
 * Asks for what the command line left open.
 * @throws FBK_CLI_CANCELLED
 */
export async function askForApplication (given: ApplicationChoices): Promise<ApplicationChoices> {
  intro('A new Fastback application')
  const name =
    given.name ?? answer(await text({ message: 'What is its name?', placeholder: 'my-app', defaultValue: 'my-app' }))
  const template = given.template ?? answer(await select<string>({
    message: 'Which template?',
    initialValue: defaultTemplate,
    options: templates.map(({ name, description }) => ({ value: name, label: name, hint: description }))
  }))
  const install =
    given.install ?? answer(await confirm({ message: 'Install the dependencies now?', initialValue: true }))
  return { name, template, install }
}

function answer<T> (given: T): Exclude<T, symbol> {
  if (!isCancel(given)) return given as Exclude<T, symbol>
  cancel()
  throw new CancelledError()
}

/**
 * Asks which tables of a data source are meant; all are chosen at first.
 * @throws FBK_CLI_CANCELLED; as `listTables`
 */
export async function askForTables (dir: string, dataSource: string | undefined): Promise<string[]> {
  const { listTables } = await import('./discover.js')
  const tables = await listTables(dir, { dataSource })
  return answer(await multiselect<string>({
    message: 'Which tables?',
    initialValues: tables.filter(({ type }) => type === 'table').map(({ name }) => name),
    options: tables.map(({ name, type }) => ({ value: name, label: name, ...(type === 'view' ? { hint: 'a view' } : {}) })),
    required: true
  }))
}

/** Asks whether the rows of some data sources may be lost. */
export async function askForLoss (what: string): Promise<boolean> {
  return answer(await confirm({ message: `All rows of ${what} will be lost. Go on?`, initialValue: false }))
}
