/** An application as `fastback new` makes it, in a folder of its own and with its rows in memory, that is served. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { createServer, type Server } from '@fastback/boot'

export interface ServedTemplate {
  readonly folder: string
  readonly server: Server
  /** `http://127.0.0.1:40123` */
  readonly address: string
}

const inRepository = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/**
 * @param name of the template
 * @param modules folder of the repository that stands for what `npm install` would bring
 */
export async function serveTemplate (t: Test, name: string, modules?: string): Promise<ServedTemplate> {
  const folder = mkdtempSync(path.join(tmpdir(), `fastback-${name}-`))
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  cpSync(inRepository(`packages/cli/templates/${name}`), folder, { recursive: true })
  if (modules !== undefined) symlinkSync(inRepository(modules), path.join(folder, 'node_modules'))
  const server = await createServer(folder, {
    dataSources: { db: { connector: 'memory' } }, log: false, port: 0, host: '127.0.0.1'
  })
  t.teardown(() => server.stop())
  return { folder, server, address: await server.start() }
}
