import path from 'node:path'
import type { FolderRule } from '../rule.js'
import { entriesOf } from './middleware.js'

export const staticServesFolder: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_STATIC_SERVES_FOLDER',
  severity: 'high',
  title: 'Static middleware serves the application\'s own files',
  why: 'Configuration, code, and what else lies in the folder can be fetched by everybody.',
  find (subject) {
    const { folder } = subject.configuration
    return entriesOf(subject, 'loopback#static', 'fastback#static', 'serve-static', 'express#static').flatMap(entry => {
      const [dir] = entry.params
      if (typeof dir !== 'string' || path.relative(path.resolve(dir), folder.server).startsWith('..')) return []
      return [
        {
          ...entry.place('params'),
          what: `It serves ${folder.name(path.resolve(dir)) || 'the application folder'}, and the configuration with it.`,
          fix: '"params": "$!../client"'
        }
      ]
    })
  }
}
