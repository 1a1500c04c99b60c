/** An application folder whose models call a service. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Test } from 'tap'
import { createServer } from '@fastback/boot'

/** @returns the address of its API */
export async function folder (
  t: Test, dataSource: object, script = 'module.exports = () => {}'
): Promise<string> {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-rest-'))
  const files: Record<string, unknown> = {
    'package.json': { name: 'weather' },
    'server/config.json': { restApiRoot: '/api', host: '127.0.0.1', port: 0 },
    'server/datasources.json': { up: { connector: 'loopback-connector-rest', ...dataSource } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] }, Forecast: { dataSource: 'up', public: true }
    },
    'common/models/forecast.json': { name: 'Forecast', base: 'Model' },
    'common/models/forecast.js': script,
    'server/component-config.json': { 'loopback-component-explorer': { mountPath: '/explorer' } }
  }
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const server = await createServer(root, { log: false })
  t.teardown(async () => {
    await server.stop()
    rmSync(root, { recursive: true })
  })
  return await server.start()
}
