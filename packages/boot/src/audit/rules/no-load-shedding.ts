import { isRecord } from '../../load/is-record.js'
import type { FolderRule } from '../rule.js'

export const noLoadShedding: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_NO_LOAD_SHEDDING',
  severity: 'low',
  title: 'Refusing requests under pressure is switched off',
  why: 'A server that is late with everything answers nobody in time; one that refuses some with 503 answers the rest.',
  find ({ configuration: { settings }, sources }) {
    const { server } = settings
    if (!isRecord(server) || server.underPressure !== false) return []
    return [
      {
        ...sources.config('config', ['server', 'underPressure']),
        what: 'No request is refused, however late the server is.',
        fix: '"underPressure": true'
      }
    ]
  }
}
