/**
 * A place where disks fill up and become read-only: a mount namespace of its own with a small file system in memory.
 * Linux only, and only where the kernel lets an ordinary user make one; tests say when they were left out.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { folderFor } from './server-process.js'

export class Box {
  private constructor (readonly disk: string, readonly keeper: ChildProcess) {}

  /** @param size as mount has it: `1m`; undefined when there can be no box here */
  static async open (t: Test, size: string): Promise<Box | undefined> {
    const disk = folderFor(t)
    const keeper = spawn(
      'unshare',
      ['-rm', 'sh', '-c', 'mount -t tmpfs -o size="$1" none "$2" && echo ready && exec sleep 600', 'sh', size, disk],
      { stdio: ['ignore', 'pipe', 'ignore'] }
    )
    const opened = await Promise.race([
      once(keeper.stdout as NonNullable<typeof keeper.stdout>, 'data').then(
        () => true,
        () => false
      ),
      once(keeper, 'exit').then(
        () => false,
        () => false
      )
    ])
    if (!opened) return undefined
    t.teardown(() => { keeper.kill('SIGKILL') })
    return new Box(disk, keeper)
  }

  /** The words that make a command run inside. */
  get entrance (): string[] {
    return ['nsenter', '-t', String(this.keeper.pid), '-U', '--preserve-credentials', '-m']
  }

  /** Runs a line of shell inside; `$1` is the disk. */
  run (line: string): string {
    const [command, ...args] = this.entrance
    const { status, stdout, stderr } = spawnSync(command as string, [...args, 'sh', '-c', line, 'sh', this.disk], {
      encoding: 'utf8'
    })
    if (status !== 0) throw new Error(`${line}: ${stderr}`)
    return stdout
  }
}
