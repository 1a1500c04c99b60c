// What one writes by hand: @fastify/multipart into a file, @fastify/static out of the folder.
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import files from '@fastify/static'
import Fastify from 'fastify'

const folder = join(process.env.BENCH_ROOT, 'box')
const app = Fastify()
await app.register(multipart, { limits: { fileSize: 10 * 1024 * 1024 } })
await app.register(files, { root: folder, prefix: '/download/' })
app.post('/upload', async request => {
  const part = await request.file()
  const path = join(folder, part.filename)
  await pipeline(part.file, createWriteStream(path))
  return { size: (await stat(path)).size }
})
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => app.close())
