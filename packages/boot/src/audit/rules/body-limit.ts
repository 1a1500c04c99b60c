import { isRecord } from '../../load/is-record.js'
import { bytes } from '../../middleware/native/plugins.js'
import type { FolderRule } from '../rule.js'

const most = 10 * 1024 ** 2

export const bodyLimit: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_BODY_LIMIT',
  severity: 'medium',
  title: 'Bodies of more than 10 MB are read into memory',
  why: 'Each is kept and parsed as a whole: a few at a time, compressed on the wire, exhaust the memory or stop the event loop.',
  find ({ configuration: { settings }, sources }) {
    const { remoting } = settings
    if (!isRecord(remoting)) return []
    return ['json', 'urlencoded'].flatMap(key => {
      const { [key]: options } = remoting
      const limit = isRecord(options) ? options.limit : undefined
      if (limit === undefined || bytes(limit, 'remoting') <= most) return []
      return [
        {
          ...sources.config('config', ['remoting', key, 'limit']),
          what: `Bodies may have ${String(limit)}.`,
          fix: '"limit": "100kb"'
        }
      ]
    })
  }
}
