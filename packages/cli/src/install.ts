/** Installs the dependencies of a new application with the package manager that runs this process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { InstallError } from './errors.js'

/** `npm`, `pnpm`, `yarn` or `bun`, as the package manager that started this process names itself. */
export function packageManager (env: NodeJS.ProcessEnv = process.env): string {
  const name = env.npm_config_user_agent?.split('/')[0] ?? ''
  return ['pnpm', 'yarn', 'bun'].includes(name) ? name : 'npm'
}

/**
 * Runs `npm install`; its own words go to the standard error, so that the standard output stays the command's result.
 * @param otherwise what the message says of the application when that fails
 * @throws FBK_CLI_INSTALL
 */
export async function installDependencies (
  folder: string, otherwise = `The application is complete; run it yourself in "${folder}".`
): Promise<void> {
  const manager = packageManager()
  const child = spawn(manager, ['install'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32'
  })
  try {
    const [code] = await once(child, 'exit') as [number | null]
    if (code !== 0) throw new InstallError(`${manager} install`, code === null ? '' : ` (exit code ${code})`, otherwise)
  } catch (error) {
    if (error instanceof InstallError) throw error
    throw new InstallError(`${manager} install`, `: ${(error as Error).message}`, otherwise)
  }
}
