// A process that serves one application folder after another (servers.mjs forks it): the packages are loaded once, and
// V8 has compiled them. Each folder gets an application, stores and a port of its own, and its files are loaded anew.
// What it is sent: { folder, environment }, replied to with { port } or { error }; then 'stop', replied to with
// 'stopped'.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from '../../packages/boot/bundle/index.js'

const { cache } = createRequire(import.meta.url)
// Each of some folders waits for the end of the process, to remove what it wrote.
process.setMaxListeners(0)
process.on('disconnect', () => { process.exit() })

for (;;) {
  const [{ folder, environment }] = await once(process, 'message')
  await serveOnce(folder, environment)
}

async function serveOnce (folder, environment) {
  const before = new Set(Object.keys(cache))
  const outer = Object.keys(environment).map(name => [name, process.env[name]])
  Object.assign(process.env, environment)
  let server
  try {
    server = await createServer(folder, { port: 0 })
    const url = new URL(await server.start())
    const stopping = once(process, 'message')
    process.send({ port: Number(url.port) })
    await stopping
  } catch (error) {
    process.send({ error: error.stack })
  }
  await server?.stop()
  for (const [name, value] of outer) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  for (const file of Object.keys(cache)) if (!before.has(file) && file.startsWith(folder)) delete cache[file]
  if (server !== undefined) process.send('stopped')
}
