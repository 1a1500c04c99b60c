/** The files that the loads send and fetch: JSON of one megabyte, so that answers can be compared. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RawBody } from '../../connection.js'
import { DATA_FOLDER, inBench } from '../../paths.js'

const content = JSON.stringify({ text: 'fastback '.repeat(116_508) })
const boundary = 'bench-boundary-7MA4YWxk'
const type = `multipart/form-data; boundary=${boundary}`

const form = name => new RawBody(
  type,
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
  `Content-Type: application/json\r\n\r\n${content}\r\n--${boundary}--\r\n`
)

/** @param {{ upload: string, download: string }} paths */
export const filesDialect = ({ upload, download }) => ({
  f1: ({ name }) => ({ method: 'POST', path: upload, body: form(name) }),
  f2: () => ({ method: 'GET', path: `${download}/stored.json` })
})

/**
 * A server of its own folder: `<folder>/box/stored.json` is there.
 * @param {string} name
 * @param {{ upload: string, download: string }} paths
 * @returns {import('../index.js').Server}
 */
export function fileServer (name, paths) {
  const dialect = filesDialect(paths)
  const root = join(DATA_FOLDER, `files-${name}`)
  return {
    name,
    stores: ['memory'],
    layout: 'fastback',
    probe: `${paths.download}/stored.json`,
    missing: () => undefined,
    command ({ port }) {
      mkdirSync(join(root, 'box'), { recursive: true })
      writeFileSync(join(root, 'box', 'stored.json'), content)
      return { args: [inBench(`src/file-servers/${name}.js`)], env: { BENCH_PORT: String(port), BENCH_ROOT: root } }
    },
    request: (load, params) => dialect[load](params)
  }
}
