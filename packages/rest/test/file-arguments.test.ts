/** Arguments of the type `file`: forms are read before the method runs, and nothing of them stays. */
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import core from '@fastback/core'
import rest, { type RestOptions } from '@fastback/rest'
import type { ArgumentFile } from '@fastback/rest/multipart'

async function serve (
  t: Test, accepts: object[], run: (...args: any[]) => unknown, options: RestOptions = {}
): Promise<string> {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { definitions: [{ name: 'Desk', base: 'Model', plural: 'desk' }] })
  const Desk = app.models.Desk as any
  Desk.take = run
  Desk.remoteMethod('take', { accepts, returns: { arg: 'result', type: 'any', root: true }, http: { verb: 'post', path: '/take' } })
  await app.register(rest, { prefix: '/api', models: { Desk: { public: true } }, ...options } as RestOptions)
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/desk/take`
}

const form = (parts: Array<[string, string | Blob, string?]>): FormData => {
  const body = new FormData()
  for (const [field, content, name] of parts) {
    if (typeof content === 'string') body.append(field, content)
    else body.append(field, content, name)
  }
  return body
}

const post = async (url: string, body: FormData | string, headers = {}): Promise<{ status: number, body: any }> => {
  const answer = await fetch(url, { method: 'POST', body, headers })
  return { status: answer.status, body: await answer.json() }
}

const spooled = async (): Promise<string[]> => (await readdir(tmpdir())).filter(name => /^fastback-[0-9a-f-]{36}$/.test(name))

t.test('one file with fields around it', async t => {
  const url = await serve(
    t,
    [
      { arg: 'title', type: 'string', required: true },
      { arg: 'count', type: 'number', http: { source: 'form' } },
      { arg: 'photo', type: 'file', required: true, accept: ['image/*'], maxSize: '1kb' }
    ],
    async (title: string, count: number, photo: ArgumentFile) => ({
      title, count, name: photo.name, type: photo.type, size: photo.size, text: await photo.text()
    })
  )
  const png = new Blob(['pixels'], { type: 'image/png' })
  const sent = await post(url, form([['title', 'me'], ['photo', png, 'dir/me.png'], ['count', '3']]))
  t.strictSame(sent, {
    status: 200, body: { title: 'me', count: 3, name: 'me.png', type: 'image/png', size: 6, text: 'pixels' }
  })
  const odd = await post(url, form([['title', 'me'], ['photo', png, 'C:\\my "best".png']]))
  t.equal(odd.body.name, 'my "best".png', 'as the client has it')
  const refused = async (parts: Parameters<typeof form>[0], status: number, code: string) => {
    const answer = await post(url, form(parts))
    t.strictSame([answer.status, answer.body.error.code], [status, code])
  }
  await refused([['title', 'me']], 400, 'MISSING_REQUIRED_PARAMETER')
  await refused([['photo', png, 'a.png']], 400, 'MISSING_REQUIRED_PARAMETER')
  await refused([['title', 'me'], ['photo', new Blob(['x'], { type: 'text/html' }), 'a.png']], 415, 'CONTENT_TYPE_NOT_ALLOWED')
  await refused([['title', 'me'], ['photo', new Blob(['x'.repeat(1025)], { type: 'image/png' }), 'a.png']], 413, 'FILE_TOO_LARGE')
  await refused([['title', 'me'], ['photo', png, 'a.png'], ['photo', png, 'b.png']], 413, 'TOO_MANY_PARTS')
  await refused([['title', 'me'], ['photo', png, 'a.png'], ['other', png, 'b.png']], 400, 'INVALID_FORM')
  const json = await post(url, '{"title":"me"}', { 'content-type': 'application/json' })
  t.strictSame([json.status, json.body.error.code], [400, 'MISSING_REQUIRED_PARAMETER'])
  const bytes = await post(url, 'x', { 'content-type': 'image/png' })
  t.equal(bytes.status, 415)
  t.match(bytes.body.error.message, /multipart\/form-data/)
})

t.test('several files, large ones on the disk, and streams of them', async t => {
  const before = await spooled()
  let during: string[] = []
  const url = await serve(t, [{ arg: 'files', type: ['file'] }], async (files: ArgumentFile[]) => {
    during = await spooled()
    let streamed = 0
    for (const file of files) for await (const chunk of file.stream()) streamed += (chunk as Buffer).length
    return { sizes: files.map(({ size }) => size), streamed, again: (await files[0]?.bytes())?.length ?? null }
  })
  const large = new Blob([Buffer.alloc(300_000, 'l')])
  const sent = await post(url, form([['files', large, 'a'], ['files', new Blob(['small']), 'b'], ['files', large, 'c']]))
  t.strictSame(sent.body, { sizes: [300_000, 5, 300_000], streamed: 600_005, again: 300_000 })
  t.strictSame(during.filter(name => !before.includes(name)), [], 'no name on the disk')
  t.strictSame((await post(url, form([['x', 'y']]))).body, { sizes: [], streamed: 0, again: null })
})

t.test('a file may be the answer', async t => {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { definitions: [{ name: 'Desk', base: 'Model', plural: 'desk' }] })
  const Desk = app.models.Desk as any
  Desk.echo = async (file: ArgumentFile) => file.stream()
  Desk.remoteMethod('echo', {
    accepts: { arg: 'file', type: 'file' }, returns: { arg: 'body', type: 'file', root: true }, http: { verb: 'post', path: '/echo' }
  })
  await app.register(rest, { prefix: '/api', models: { Desk: { public: true } } } as RestOptions)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const content = Buffer.alloc(1_000_000, 'fastback')
  const answer = await fetch(`${url}/api/desk/echo`, { method: 'POST', body: form([['file', new Blob([content]), 'f']]) })
  t.ok(Buffer.from(await answer.arrayBuffer()).equals(content))
})

t.test('limits of forms are settings', async t => {
  const url = await serve(t, [{ arg: 'files', type: ['file'] }], () => 'taken', { forms: { files: 1 } })
  const one = new Blob(['1'])
  t.equal((await post(url, form([['files', one, 'a']]))).body, 'taken')
  t.equal((await post(url, form([['files', one, 'a'], ['files', one, 'b']]))).status, 413)
})
