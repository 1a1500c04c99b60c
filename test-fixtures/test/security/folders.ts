import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Test } from 'tap'

/**
 * An application folder of its own for a test, removed after it: files by name, objects as JSON, text as it is. For
 * `attack`.
 */
export function temporaryApp (t: Test, files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-security-'))
  t.teardown(() => { rmSync(folder, { recursive: true, force: true }) })
  const all: Record<string, unknown> = {
    'package.json': { name: 'temporary', private: true, type: 'module' },
    'server/config.json': { host: '127.0.0.1', port: 0 },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/models/note.json': { name: 'Note', properties: { text: 'string' } },
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', './models'] },
      Note: { dataSource: 'db', public: true }
    },
    ...files
  }
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return `${folder}/`
}

/** Folders with these models, all public, beside users and the models of access rules. */
export const appWith = (models: Readonly<Record<string, object>>) =>
  (t: Test, config: object, more: Readonly<Record<string, object>> = {}): string => temporaryApp(t, {
    'server/config.json': { host: '127.0.0.1', port: 0, ...config },
    'server/boot/auth.js': 'export default app => { app.enableAuth() }',
    ...Object.fromEntries(Object.entries(models).map(([name, model]) =>
      [`server/models/${name.toLowerCase()}.json`, { name, ...model, ...more[name] }])),
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', './models'] },
      ...Object.fromEntries(['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name =>
        [name, { dataSource: 'db', public: name === 'User' }])),
      ...Object.fromEntries(Object.keys(models).map(name => [name, { dataSource: 'db', public: true }]))
    }
  })
