import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { isIgnored } from '../git-ignored.js'
import type { FolderRule } from '../rule.js'

const skipped = new Set(['node_modules', '.git'])
/** Larger ones are no key files. */
const largest = 64 * 1024

export const secretFile: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_SECRET_FILE',
  severity: 'high',
  title: 'A private key or an `.env` file that version control does not ignore',
  why: "With the next commit, image or archive of the folder it is everybody's who gets a copy, and stays in the history.",
  find ({ configuration: { folder } }) {
    return [...filesIn(folder.root)]
      .filter(file => isSecret(file) && !isIgnored(folder, file))
      .map(file => {
        const name = folder.name(file)
        return {
          file: name,
          key: '',
          line: undefined,
          what: path.basename(file).startsWith('.env')
            ? 'Settings of an environment lie in the folder.'
            : 'A private key lies in the folder.',
          fix: `${name}, as a line of .gitignore (and of .dockerignore)`
        }
      })
  }
}

function * filesIn (dir: string): Iterable<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory() && !skipped.has(entry.name)) yield * filesIn(path.join(dir, entry.name))
    else if (entry.isFile()) yield path.join(dir, entry.name)
  }
}

/** `.env`, `.env.production` with a value in it; not `.env.example`. A file that says that it is a private key. */
function isSecret (file: string): boolean {
  const { base, ext } = path.parse(file)
  const isEnv = /^\.env(?:\..+)?$/.test(base) && !/\.(?:example|sample|template|dist)$/.test(base)
  if (!isEnv && !['.pem', '.key', '.p8', '.ppk', ''].includes(ext)) return false
  if (statSync(file).size > largest) return false
  const text = readFileSync(file, 'utf8')
  return isEnv
    ? /^[ \t]*(?:export[ \t]+)?\w+[ \t]*=[ \t]*\S/m.test(text)
    : /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
}
