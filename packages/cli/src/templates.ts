/** The applications that `fastback new` can make. Their files are in the folder `templates` of this package. */
import { fileURLToPath } from 'node:url'
import { UnknownTemplateError } from './errors.js'

export type TemplateName = 'empty-server' | 'hello-world' | 'notes' | 'files' | 'push' | 'offline' | 'api-server' | 'typescript'

export interface Template {
  readonly name: TemplateName
  readonly description: string
  /** `code`: plugins and models in TypeScript, and no folder of definitions. Default: `folder`. */
  readonly form?: 'folder' | 'code'
}

export const templates: readonly Template[] = [
  { name: 'api-server', description: 'users, tokens and access control on SQLite, ready for your models' },
  {
    name: 'typescript',
    description: 'plugins, models, rules and tests in TypeScript, users and notes of their own on SQLite',
    form: 'code'
  },
  { name: 'notes', description: 'a small working example: notes in categories, with some rows' },
  { name: 'files', description: 'files of users, with a page that uploads them and resumes interrupted uploads' },
  { name: 'push', description: 'notifications to browsers, with a page that asks for them on a click' },
  { name: 'offline', description: 'notes that are there without a line, with a page that can be installed' },
  { name: 'hello-world', description: 'one model with one method, and users in memory' },
  { name: 'empty-server', description: 'nothing but the configuration, without access control' }
]

export const defaultTemplate: TemplateName = 'api-server'

/** The folder of a template's files. */
export function templateFolder (name: TemplateName): string {
  return fileURLToPath(new URL(`../templates/${name}`, import.meta.url))
}

/** What starts an application of a template while it is developed: `npm run dev` of one in code, else `npm start`. */
export const startOf = (name: TemplateName): string => formOf(name) === 'code' ? 'npm run dev' : 'npm start'

/** Whether an application has definitions in its folder, or is in code. */
export const formOf = (name: TemplateName): 'folder' | 'code' =>
  templates.find(template => template.name === name)?.form ?? 'folder'

/** Files for containers, beside those of a template. */
export const containersFolder = (name: TemplateName): string =>
  fileURLToPath(new URL(`../containers/${formOf(name)}`, import.meta.url))

/** @throws FBK_CLI_UNKNOWN_TEMPLATE */
export function checkTemplate (name: string): TemplateName {
  const found = templates.find(template => template.name === name)
  if (found === undefined) throw new UnknownTemplateError(name, templates.map(template => template.name).join(', '))
  return found.name
}
