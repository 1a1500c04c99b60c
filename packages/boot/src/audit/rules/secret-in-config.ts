import { existsSync } from 'node:fs'
import type { JSONPath } from 'jsonc-parser'
import { loginsOf } from '@fastback/login'
import { isRecord } from '../../load/is-record.js'
import { isIgnored } from '../git-ignored.js'
import type { FolderRule } from '../rule.js'
import type { Found } from '../finding.js'
import type { FolderSubject } from '../subject.js'
import { configurationNames, locationIn, type Source } from '../sources.js'

/** Names under which passwords and keys are configured. */
const secretName =
  /^(?:pass|passwd|password|pwd|passphrase|secret|api_?key|api_?secret|auth_?token|access_?key|private_?key|server_?key|account_?key|master_?key|(?:client|app|token|cookie|cursor|session|jwt|consumer|shared|webhook)_?secret|secret_?(?:key|access_?key)|bind_?credentials|signing_?key|encryption_?key|connection_?string)$/i

/** Middleware whose first argument is a secret, or a list of them. */
const positional = ['cookie-parser']

/** `postgres://user:password@host`. */
const urlPassword = /^[a-z][a-z\d+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i

export const secretInConfig: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_SECRET_IN_CONFIG',
  severity: 'high',
  title: 'A password or key is written in a configuration file',
  why: 'Configuration is copied, committed and mailed. A copy gives access to the database, or signs what the server trusts.',
  find (subject) {
    return [...configurationNames.flatMap(name => subject.sources.of(name)), ...providersOf(subject)]
      .flatMap(source => [...secretsIn(source, source.value, [])].map(keys => found(source, keys)))
  }
}

/** Files with the providers of logins, unless version control leaves them out (LG-36). */
function providersOf ({ registry, sources, configuration: { folder } }: FolderSubject): Source[] {
  if (loginsOf(registry) === undefined) return []
  const named = sources.of('component-config').flatMap(({ value }) => isRecord(value) ? components.map(name => value[name]) : [])
    .flatMap(options => isRecord(options) && typeof options.providers === 'string' ? [options.providers] : [])
  const files = new Set(['providers.json', '../providers.json', ...named].map(file => folder.path(file)))
  return [...files]
    .filter(file => file.endsWith('.json') && !folder.name(file).startsWith('../') && existsSync(file) && !isIgnored(folder, file))
    .map(file => sources.read(file))
}

const components = ['@fastback/login', 'loopback-component-passport']

function found (source: Source, keys: JSONPath): Found {
  const name = String(keys.findLast(key => typeof key === 'string'))
    .replace(/[^\w]+/g, '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
  const last = keys.at(-1)
  const variable = `\${${name}}`
  return {
    ...locationIn(source, keys),
    what: 'A secret is written here, in plain text.',
    fix: typeof last === 'string' ? `"${last}": "${variable}"` : `"${variable}"`
  }
}

function * secretsIn (source: Source, value: unknown, keys: JSONPath): Iterable<JSONPath> {
  if (typeof value === 'string') {
    if (isSecret(value, keys)) yield keys
    return
  }
  if (!isRecord(value) && !Array.isArray(value)) return
  for (const [key, each] of Object.entries(value)) {
    yield * secretsIn(source, each, [...keys, Array.isArray(value) ? Number(key) : key])
  }
}

/** What stands for something else (`${NAME}`), and what is nothing, is none. */
function isSecret (text: string, keys: JSONPath): boolean {
  if (text === '' || text.includes('${')) return false
  const password = urlPassword.exec(text)?.[1]
  if (password !== undefined) return true
  const names = keys.filter((key): key is string => typeof key === 'string')
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return true
  const name = names.at(-1) ?? ''
  const ofCookies = name === 'params' && positional.includes(names.at(-2) ?? '')
  return ofCookies || (secretName.test(name) && !isPath(text))
}

/** Keys are often named by their file. */
const isPath = (text: string): boolean => /^\.{0,2}\/|\.(?:pem|key|p12|crt|json)$/.test(text)
