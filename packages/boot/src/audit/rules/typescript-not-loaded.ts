import { existsSync } from 'node:fs'
import path from 'node:path'
import { codeExtensions, isTypeScript } from '../../load/module.js'
import { codeFiles, withoutExtension } from '../../load/scripts.js'
import type { FolderRule } from '../rule.js'

export const typeScriptNotLoaded: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_TYPESCRIPT_NOT_LOADED',
  severity: 'low',
  title: 'A TypeScript file among the folder\'s code that is not loaded',
  why: 'The application relies on what it does: a hook, a check, a rule.',
  find ({ configuration: { folder, env, models } }) {
    const dirs = [
      'boot',
      `boot/${env}`,
      ...[...models.sources, ...models.mixins].filter(source => !source.startsWith('loopback/'))
    ].flatMap(named => folder.find(named) ?? folder.path(named))
    const lost = [...new Set(dirs)]
      .flatMap(dir => codeFiles(dir))
      .filter(
        file => isTypeScript(file) && !codeExtensions.some(extension => existsSync(withoutExtension(file) + extension))
      )
    return lost.map(file => ({
      file: folder.name(file),
      key: '',
      line: undefined,
      what: `This Node.js (${process.version}) does not run ${path.basename(file)}, and there is no JavaScript beside it.`,
      fix: `compile it to ${path.basename(file).replace(/ts$/, 'js')}, or remove it`
    }))
  }
}
