/** What every driver must do; each test of a driver runs these. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import type { StorageDriver } from '@fastback/storage'

export const bytesOf = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray() as Buffer[])

export async function put (
  driver: StorageDriver, container: string, file: string, content: string | Buffer
): Promise<void> {
  const staged = await driver.stage(container, file, { type: 'text/plain' })
  await pipeline(Readable.from([Buffer.from(content)]), staged.writable)
  await staged.check()
  await staged.commit()
}

/** @param knowsFirstByte whether the store can give the first byte alone: a test double may not */
export async function driverCases (t: Test, driver: StorageDriver, { knowsFirstByte = true } = {}): Promise<void> {
  const code = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      await work
    } catch (error) {
      const { statusCode, code } = error as { statusCode?: number, code?: string }
      return [statusCode, code]
    }
  }

  await t.test('containers come and go', async t => {
    t.equal(await driver.container('cases'), undefined)
    const made = await driver.create('cases')
    t.equal(made.name, 'cases')
    t.ok(made.mtime instanceof Date && !Number.isNaN(made.mtime.getTime()))
    t.strictSame(await code(driver.create('cases')), [409, 'EEXIST'])
    t.equal((await driver.container('cases'))?.name, 'cases')
    t.ok((await driver.containers()).some(({ name }) => name === 'cases'))
    t.strictSame(await driver.files('cases', {}), [])
    t.strictSame(await driver.files('absent', {}), [])
    t.strictSame(await code(driver.destroy('absent')), [404, 'ENOENT'])
  })

  await t.test('a file is there once it is committed, and whole', async t => {
    const staged = await driver.stage('cases', 'a.txt', { type: 'text/plain' })
    await pipeline(Readable.from([Buffer.from('first '), Buffer.from('file')]), staged.writable)
    t.equal(await driver.stat('cases', 'a.txt'), undefined)
    await staged.check()
    await staged.commit()
    const stat = await driver.stat('cases', 'a.txt')
    t.match(stat, { container: 'cases', name: 'a.txt', size: 10 })
    t.equal((await bytesOf(await driver.read('cases', 'a.txt', {}))).toString(), 'first file')
    await staged.abort()
    t.equal((await driver.stat('cases', 'a.txt'))?.size, 10, 'abort after commit does nothing')
  })

  await t.test('parts of a file, the end inclusive', async t => {
    const part = async (start?: number, end?: number) => (await bytesOf(await driver.read('cases', 'a.txt', { start, end }))).toString()
    if (knowsFirstByte) t.equal(await part(0, 0), 'f')
    t.equal(await part(0, 1), 'fi')
    t.equal(await part(6), 'file')
    t.equal(await part(undefined, 4), 'first')
    t.equal(await part(2, 7), 'rst fi')
  })

  await t.test('the validator tells states of a file apart', async t => {
    const before = await driver.stat('cases', 'a.txt')
    t.type(before?.validator, 'string')
    t.equal((await driver.stat('cases', 'a.txt'))?.validator, before?.validator)
    await wait(5)
    await put(driver, 'cases', 'a.txt', 'other text')
    const after = await driver.stat('cases', 'a.txt')
    t.not(after?.validator, before?.validator)
    t.strictSame(await code(driver.read('cases', 'a.txt', { validator: before?.validator })), [404, 'ENOENT'])
    t.equal((await bytesOf(await driver.read('cases', 'a.txt', { validator: after?.validator }))).toString(), 'other text')
  })

  await t.test('what is given up leaves nothing, and the older file as it was', async t => {
    const staged = await driver.stage('cases', 'a.txt', {})
    staged.writable.write(Buffer.from('half of '))
    await staged.abort()
    await staged.abort()
    t.equal((await bytesOf(await driver.read('cases', 'a.txt', {}))).toString(), 'other text')
    const unused = await driver.stage('cases', 'never.txt', {})
    await unused.abort()
    t.equal(await driver.stat('cases', 'never.txt'), undefined)
  })

  await t.test('an empty file, and one of several parts', async t => {
    await put(driver, 'cases', 'empty', '')
    t.equal((await driver.stat('cases', 'empty'))?.size, 0)
    t.equal((await bytesOf(await driver.read('cases', 'empty', {}))).length, 0)
    const large = Buffer.alloc(11 * 1024 * 1024, 'fastback ')
    const staged = await driver.stage('cases', 'large', {})
    await pipeline(Readable.from((function * () {
      for (let at = 0; at < large.length; at += 700_001) yield large.subarray(at, at + 700_001)
    })()), staged.writable)
    await staged.commit()
    t.ok((await bytesOf(await driver.read('cases', 'large', {}))).equals(large))
    t.equal((await bytesOf(await driver.read('cases', 'large', { start: 10_000_000, end: 10_000_008 }))).toString(),
      large.subarray(10_000_000, 10_000_009).toString())
  })

  await t.test('files in the order of their names, in pages', async t => {
    for (const name of ['b 1.txt', 'b2.txt', 'größe.txt', '100%25']) await put(driver, 'cases', name, name)
    const names = async (page: object) => (await driver.files('cases', page)).map(({ name }) => name)
    t.strictSame(await names({}), ['100%25', 'a.txt', 'b 1.txt', 'b2.txt', 'empty', 'größe.txt', 'large'])
    t.strictSame(await names({ limit: 2 }), ['100%25', 'a.txt'])
    t.strictSame(await names({ after: 'a.txt', limit: 2 }), ['b 1.txt', 'b2.txt'])
    t.strictSame(await names({ prefix: 'b' }), ['b 1.txt', 'b2.txt'])
    t.equal((await bytesOf(await driver.read('cases', 'größe.txt', {}))).toString(), 'größe.txt')
  })

  await t.test('files go, one by one and with their container', async t => {
    await driver.remove('cases', 'b2.txt')
    t.equal(await driver.stat('cases', 'b2.txt'), undefined)
    t.strictSame(await code(driver.remove('cases', 'b2.txt')), [404, 'ENOENT'])
    t.strictSame(await code(driver.read('cases', 'b2.txt', {})), [404, 'ENOENT'])
    await driver.destroy('cases')
    t.equal(await driver.container('cases'), undefined)
    t.strictSame(await driver.files('cases', {}), [])
  })
}
