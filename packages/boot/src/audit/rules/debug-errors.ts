import { isRecord } from '../../load/is-record.js'
import type { FolderRule } from '../rule.js'
import type { Found, FindingLocation } from '../finding.js'
import { entriesOf, optionsAt } from './middleware.js'

export const debugErrors: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_DEBUG_ERRORS',
  severity: 'high',
  title: 'Errors are answered with their stack and all their properties',
  why: "Stacks, paths and messages of the database tell an attacker what to try next, and may hold values of other people's rows.",
  find (subject) {
    const {
      configuration: { settings },
      sources
    } = subject
    const found: Found[] = []
    const look = (options: Readonly<Record<string, unknown>>, place: (key: string) => FindingLocation): void => {
      if (options.debug === true) {
        found.push({
          ...place('debug'),
          what: 'Answers show stacks and every property of errors.',
          fix: '"debug": false'
        })
      }
      if (Array.isArray(options.safeFields) && options.safeFields.includes('stack')) {
        found.push({ ...place('safeFields'), what: 'Answers show stacks.', fix: '"safeFields": []' })
      }
    }
    for (const entry of entriesOf(subject, 'strong-error-handler', 'fastback#errors')) {
      look(optionsAt(entry), key => entry.place('params', key))
    }
    const { remoting } = settings
    if (isRecord(remoting) && isRecord(remoting.errorHandler)) {
      look(remoting.errorHandler, key => sources.config('config', ['remoting', 'errorHandler', key]))
    }
    return found
  }
}
