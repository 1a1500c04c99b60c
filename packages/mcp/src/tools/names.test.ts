import t from 'tap'
import { ToolNames } from './names.js'

t.test('names are of the characters that clients take, and differ', async t => {
  const names = new ToolNames()
  t.equal(names.take({ modelName: 'Note', name: 'find' }), 'Note_find')
  t.equal(names.take({ modelName: 'Note', name: '__get__comments' }), 'Note_get_comments')
  t.equal(names.take({ modelName: 'Note', name: 'get.comments' }), 'Note_get_comments_2')
  t.equal(names.take({ modelName: 'Größe', name: 'x y' }), 'Gr_e_x_y')
  const long = { modelName: 'M'.repeat(100), name: 'find' }
  t.equal(names.take(long).length, 64)
  t.not(names.take(long), names.take(long))
})
