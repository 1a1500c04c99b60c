import { isRecord } from '../../load/is-record.js'
import type { FolderRule } from '../rule.js'

const defaults = { requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 72_000 }

export const noTimeout: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_NO_TIMEOUT',
  severity: 'medium',
  title: 'Clients may take for ever to send a request',
  why: 'A few thousand connections that send a byte now and then occupy the server for everybody else.',
  find ({ configuration: { settings }, sources }) {
    const { server } = settings
    if (!isRecord(server)) return []
    return Object.entries(defaults)
      .filter(([key]) => server[key] === 0)
      .map(([key, value]) => ({
        ...sources.config('config', ['server', key]),
        what: `server.${key} is switched off.`,
        fix: `"${key}": ${value}`
      }))
  }
}
