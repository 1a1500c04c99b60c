/** `fastback new`: a folder from a template. */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { FolderNotEmptyError, InvalidNameError } from './errors.js'
import { installDependencies } from './install.js'
import { inNewFolder } from './new-folder.js'
import { ownPackage, packageSpecifier } from './own-package.js'
import {
  checkTemplate, containersFolder, defaultTemplate, formOf, startOf, templateFolder, type TemplateName
} from './templates.js'
import { vendored, type Vendored } from './vendored.js'

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
  /**
   * The checkout of Fastback whose packages the application is linked to, when it was made from one; with `docker` they
   * are copied to its folder `vendor`.
   */
  readonly checkout?: string
}

type Dependencies = Readonly<Record<string, string>>
interface TemplateManifest { name: string, dependencies: Dependencies, devDependencies?: Dependencies }

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
  const { cwd, folder, name, template } = targetFolder(options)
  const contents = filesOf(templateFolder(template), name)
  if (formOf(template) === 'folder') contents.set('models.d.ts', await modelTypesOf(template))
  const { checkout } = ownPackage()
  const own = options.docker === true && checkout !== undefined
    ? vendored(checkout, ownNames(contents))
    : undefined
  if (options.docker === true) addContainers(contents, filesOf(containersFolder(template), name), own)
  const written = options.dryRun !== true
  const installed = written && options.install === true
  if (written) {
    await inNewFolder(folder, async () => {
      for (const [file, content] of contents) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
        writeFileSync(path.join(folder, file), content)
      }
      own?.copy(folder)
    })
  }
  if (installed) await installDependencies(folder)
  const nextSteps = [
    ...(folder === path.resolve(cwd) ? [] : [`cd ${path.relative(cwd, folder)}`]),
    ...(installed ? [] : ['npm install']),
    startOf(template)
  ]
  return {
    name,
    template,
    folder,
    files: [...contents.keys(), ...own?.folders ?? []].sort(),
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
export function targetFolder ({ cwd = process.cwd(), name: written, template }: NewApplicationOptions) {
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

/** What `fastback types` says of a template. Its own folder is loaded: the new one has no packages yet. */
async function modelTypesOf (template: TemplateName): Promise<string> {
  const { writeModelTypes } = await import('./write-model-types.js')
  return (await writeModelTypes(templateFolder(template), { dryRun: true })).text
}

/** What the database of the compose file needs. */
const drivers = { pg: '^8.0.0' }

const manifestIn = (contents: ReadonlyMap<string, string>): TemplateManifest =>
  JSON.parse(contents.get('package.json') as string) as TemplateManifest

/** The packages of this repository that an application names. */
const ownNames = (contents: ReadonlyMap<string, string>): string[] => {
  const { dependencies, devDependencies } = manifestIn(contents)
  return Object.keys({ ...dependencies, ...devDependencies }).filter(name => name.startsWith('@fastback/'))
}

/** @param own packages that are not on npm, which the image needs beside the application's files */
function addContainers (
  contents: Map<string, string>, containers: ReadonlyMap<string, string>, own: Vendored | undefined
): void {
  for (const [file, content] of containers) contents.set(file, content)
  if (own !== undefined) contents.set('Dockerfile', withVendored(contents.get('Dockerfile') as string))
  const { devDependencies, ...manifest } = manifestIn(contents)
  const dependencies = { ...manifest.dependencies, ...own?.dependencies, ...drivers }
  const others = Object.entries(devDependencies ?? {}).filter(([name]) => !(name in dependencies))
  contents.set('package.json', JSON.stringify({
    ...manifest, dependencies, ...(others.length === 0 ? {} : { devDependencies: Object.fromEntries(others) })
  }, null, 2) + '\n')
}

/** They are there before npm installs, and with what npm put into them. */
const withVendored = (dockerfile: string): string => dockerfile
  .replace(/^COPY package\.json .*$/m, line => `${line}\nCOPY vendor ./vendor`)
  .replace(/^COPY \. \.$/m, line => `${line}\nCOPY --from=dependencies /app/vendor ./vendor`)

function contentOf (source: string, file: string, name: string): string {
  const text = readFileSync(source, 'utf8')
  if (file === 'README.md') return text.replace(/^# .*/, `# ${name}`)
  if (file !== 'package.json') return text
  const manifest = JSON.parse(text) as TemplateManifest
  const { dependencies, devDependencies } = manifest
  return JSON.stringify({
    ...manifest,
    name,
    dependencies: withOwn(dependencies),
    ...(devDependencies === undefined ? {} : { devDependencies: withOwn(devDependencies) })
  }, null, 2) + '\n'
}

/** Packages of this repository are named by the version that makes the application, or by links to its checkout. */
const withOwn = (dependencies: Dependencies): Dependencies => Object.fromEntries(Object.entries(dependencies)
  .map(([name, version]) => [name, name.startsWith('@fastback/') ? packageSpecifier(name) : version]))
