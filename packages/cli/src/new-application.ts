/** `fastback new`: a folder from a template. */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { FolderNotEmptyError, InvalidNameError } from './errors.js'
import { installDependencies } from './install.js'
import { inNewFolder } from './new-folder.js'
import { ownPackage } from './own-package.js'
import { checkTemplate, containersFolder, defaultTemplate, templateFolder } from './templates.js'

export interface NewApplicationOptions {
  /** Name of the application, or a path whose last part is the name. */
  readonly name: string
  /** Default: `api-server`. */
  readonly template?: string | undefined
  /** Folder that `name` is relative to. Default: the working directory. */
  readonly cwd?: string | undefined
  /** Whether to install the dependencies afterwards; the only step that needs the network. Default: false. */
  readonly install?: boolean | undefined
  /** Whether it gets a Dockerfile, and a compose file with PostgreSQL and Redis. Default: false. */
  readonly docker?: boolean | undefined
  /** Say what would be written, and write nothing. */
  readonly dryRun?: boolean | undefined
}

export interface NewApplication {
  readonly name: string
  readonly template: string
  /** Absolute path. */
  readonly folder: string
  /** Files relative to `folder`, sorted. */
  readonly files: readonly string[]
  readonly written: boolean
  readonly installed: boolean
  /** Commands to type next. */
  readonly nextSteps: readonly string[]
  /** The checkout of Fastback whose packages the application is linked to, when it was made from one. */
  readonly checkout?: string
}

interface TemplateManifest { name: string, dependencies: Record<string, string> }

/**
 * Makes an application.
 *
 * ```js
 * const { folder } = await newApplication({ name: 'my-app', template: 'notes' })
 * ```
 * @throws FBK_CLI_INVALID_NAME, FBK_CLI_UNKNOWN_TEMPLATE, FBK_CLI_FOLDER_NOT_EMPTY, FBK_CLI_INSTALL. But for the last,
 * nothing of it is left then
 */
export async function newApplication (options: NewApplicationOptions): Promise<NewApplication> {
  const { cwd, folder, name, template } = placeFor(options)
  const contents = filesOf(templateFolder(template), name)
  if (options.docker === true) addContainers(contents, name)
  const written = options.dryRun !== true
  const installed = written && options.install === true
  if (written) {
    await inNewFolder(folder, async () => {
      for (const [file, content] of contents) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
        writeFileSync(path.join(folder, file), content)
      }
    })
  }
  if (installed) await installDependencies(folder)
  const nextSteps = [
    ...(folder === path.resolve(cwd) ? [] : [`cd ${path.relative(cwd, folder)}`]),
    ...(installed ? [] : ['npm install']),
    'npm start'
  ]
  const { checkout } = ownPackage()
  return {
    name,
    template,
    folder,
    files: [...contents.keys()].sort(),
    written,
    installed,
    nextSteps,
    ...(checkout === undefined ? {} : { checkout })
  }
}

/**
 * Where the application will be; nothing is written.
 * @throws FBK_CLI_INVALID_NAME, FBK_CLI_UNKNOWN_TEMPLATE, FBK_CLI_FOLDER_NOT_EMPTY
 */
export function placeFor ({ cwd = process.cwd(), name: written, template }: NewApplicationOptions) {
  const folder = path.resolve(cwd, written)
  const name = checkName(path.basename(folder))
  const checked = checkTemplate(template ?? defaultTemplate)
  mustBeEmpty(folder, written)
  return { cwd, folder, name, template: checked }
}

/** npm's rules for the name of a package. */
function checkName (name: string): string {
  if (name.length > 214) throw new InvalidNameError(name, 'it is longer than 214 characters.')
  if (!/^[a-z0-9~-][a-z0-9._~-]*$/.test(name)) {
    throw new InvalidNameError(name, 'use lower-case letters, digits and dashes, as in "my-app".')
  }
  if (name === 'node_modules' || name === 'favicon.ico') throw new InvalidNameError(name, 'npm does not allow it.')
  return name
}

/** A folder that holds nothing but a fresh `.git` counts as empty. */
function mustBeEmpty (folder: string, written: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory() || readdirSync(folder).some(entry => entry !== '.git')) {
    throw new FolderNotEmptyError(written)
  }
}

/** What serving a template from this package may leave behind. */
const leftOut = new Set(['node_modules', 'data'])

/**
 * The files of a template by their names in the new application. `_gitignore` becomes `.gitignore`: npm would not
 * publish it under that name.
 */
function filesOf (source: string, name: string): Map<string, string> {
  const contents = new Map<string, string>()
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(source, folder), { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) {
        if (folder !== '' || !leftOut.has(entry.name)) visit(file)
      } else {
        contents.set(file.replace(/^_/, '.').replaceAll(path.sep, '/'), contentOf(path.join(source, file), file, name))
      }
    }
  }
  visit('')
  return contents
}

/** What the database of the compose file needs. */
const drivers = { pg: '^8.0.0' }

function addContainers (contents: Map<string, string>, name: string): void {
  for (const [file, content] of filesOf(containersFolder, name)) contents.set(file, content)
  const manifest = JSON.parse(contents.get('package.json') as string) as TemplateManifest
  const dependencies = { ...manifest.dependencies, ...drivers }
  contents.set('package.json', JSON.stringify({ ...manifest, dependencies }, null, 2) + '\n')
}

function contentOf (source: string, file: string, name: string): string {
  const text = readFileSync(source, 'utf8')
  if (file === 'README.md') return text.replace(/^# .*/, `# ${name}`)
  if (file !== 'package.json') return text
  const manifest = JSON.parse(text) as TemplateManifest
  const dependencies = { ...manifest.dependencies, '@fastback/cli': ownPackage().specifier }
  return JSON.stringify({ ...manifest, name, dependencies }, null, 2) + '\n'
}
