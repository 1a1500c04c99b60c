import { execFileSync, spawn } from 'node:child_process'
import { inBench } from '../../paths.js'

const ask = "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{process.stdout.write(String(s.address().port));s.close()})"
let address

/** The address of the service, which is started when it is first asked for, and ends with this process. */
function service () {
  if (address === undefined) {
    const port = execFileSync(process.execPath, ['-e', ask], { encoding: 'utf8' })
    const child = spawn(process.execPath, [inBench('src/service-servers/upstream.js')], {
      env: { ...process.env, BENCH_PORT: port }, stdio: 'ignore'
    })
    process.once('exit', () => child.kill('SIGKILL'))
    child.unref()
    address = `http://127.0.0.1:${port}`
  }
  return address
}

/**
 * A server that asks the service.
 * @param {string} name
 * @param {{ args?: string[], cwd?: string, missing?: () => string | undefined }} [place] default: here
 * @returns {import('../index.js').Server}
 */
export const serviceServer = (
  name, { args = [inBench(`src/service-servers/${name}.js`)], cwd, missing = () => undefined } = {}
) => ({
  name,
  stores: ['memory'],
  layout: 'fastback',
  probe: '/api/Stations/byId/1',
  missing,
  command: ({ port }) => ({ args, cwd, env: { BENCH_PORT: String(port), BENCH_SERVICE: service() } }),
  request: (load, { id }) => ({ method: 'GET', path: `/api/Stations/byId/${id}` })
})
