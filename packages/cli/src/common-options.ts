/** Options that several commands share. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import util from 'node:util'
import type { ArgsDef } from 'citty'
import { EnvFileError } from './errors.js'
import type { Terminal } from './terminal.js'

export const directory = {
  dir: { type: 'positional', description: 'The application folder', default: '.' }
} as const satisfies ArgsDef

/** Of the commands that look at an application, whatever it is made of. */
export const application = {
  dir: {
    type: 'positional',
    description: 'The application folder, or a module that exports an application: src/app.ts',
    default: '.'
  }
} as const satisfies ArgsDef

/** The same of commands whose positions are for something else. */
export const applicationOption = {
  dir: {
    type: 'string',
    description: 'The application folder, or a module that exports an application',
    default: '.',
    valueHint: 'dir'
  }
} as const satisfies ArgsDef

/** Set before a command runs (`main`); `serve` does it itself, as files may change while it watches. */
export const envFile = {
  'env-file': {
    type: 'string',
    description: 'Variables for the configuration, NAME=value on each line. The environment wins',
    valueHint: 'file'
  }
} as const satisfies ArgsDef

export const environment = {
  env: {
    type: 'string',
    description: 'Which configuration files to add: config.NAME.json … Default: NODE_ENV, or development',
    valueHint: 'name'
  },
  ...envFile
} as const satisfies ArgsDef

export const typescript = {
  typescript: {
    type: 'boolean',
    description: 'Modules of TypeScript with TypeBox, and no JSON. Default: where the folder has a tsconfig.json'
  }
} as const satisfies ArgsDef

export const debug = {
  debug: { type: 'boolean', description: 'Show the stack of an error (also with DEBUG=1 in the environment)' }
} as const satisfies ArgsDef

export const json = {
  json: { type: 'boolean', description: 'Print the result as JSON' }
} as const satisfies ArgsDef

export const dryRun = {
  'dry-run': { type: 'boolean', description: 'Say what would be written, and write nothing' }
} as const satisfies ArgsDef

export const dataFolder = {
  data: { type: 'string', description: 'Sets DATA_DIR, where the templates keep their database', valueHint: 'dir' }
} as const satisfies ArgsDef

/**
 * Configuration files name the folder as `${DATA_DIR}`, and there it would be relative to them; on the command line it
 * is relative to where one stands.
 */
export function setDataFolder (folder: string | undefined, terminal: Terminal): void {
  if (folder !== undefined) terminal.env.DATA_DIR = path.resolve(terminal.cwd, folder)
}

/**
 * Sets the variables of a file, those excepted that the environment has. The file has the form of Node's `--env-file`.
 * @throws FBK_CLI_ENV_FILE when it cannot be read
 */
export function setVariables (file: string | undefined, terminal: Terminal): void {
  if (file === undefined) return
  let text: string
  try {
    text = readFileSync(path.resolve(terminal.cwd, file), 'utf8')
  } catch (error) {
    throw new EnvFileError(file, (error as NodeJS.ErrnoException).code ?? String(error))
  }
  for (const [name, value] of Object.entries(util.parseEnv(text))) terminal.env[name] ??= value
}
