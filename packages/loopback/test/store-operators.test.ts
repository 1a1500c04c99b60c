/** Operators of a store's own in the data of partial updates, for connectors of LoopBack's. */
import t from 'tap'
import { DataSource } from '@fastback/loopback/juggler'
import { asRemote } from '@fastback/core/remote'

type Loose = any

/** A connector that keeps what it is told to change. */
function keeping (changes: unknown[]): object {
  return {
    initialize (dataSource: Loose, done: () => void) {
      dataSource.connector = {
        name: 'keeping',
        create (_model: string, _data: object, _options: object, done: Loose) { done(null, 1) },
        all (_model: string, _filter: object, _options: object, done: Loose) { done(null, [{ id: 1, title: 'a' }]) },
        count (_model: string, _where: object, _options: object, done: Loose) { done(null, 1) },
        updateAttributes (_model: string, _id: unknown, data: object, _options: object, done: Loose) {
          changes.push(data)
          done(null)
        }
      }
      done()
    }
  }
}

t.test('operators go to the store where code may use them', async t => {
  const changes: unknown[] = []
  const db = new DataSource({ connector: keeping(changes) })
  const Note = db.define('Note', { title: String }, { strict: true }) as Loose
  const note = await Note.create({ title: 'a' })
  const push = { $push: { tags: 'b' }, title: 'c' }
  await t.rejects(note.updateAttributes(push), { statusCode: 422 } as Loose)
  await note.updateAttributes(push, { allowExtendedOperators: true })
  t.match(changes, [push])
  const outside = asRemote({ allowExtendedOperators: true })
  await t.rejects(note.updateAttributes(push, outside), { statusCode: 422 } as Loose, 'nobody outside says so')
  const Free = db.define('Free', { title: String }, { strict: true, allowExtendedOperators: true }) as Loose
  await (await Free.create({ title: 'a' })).updateAttributes(push)
  t.equal(changes.length, 2)
})
