import t from 'tap'
import { textOfResult, textResult } from './text-result.js'

t.test('a result of text is an object for whoever looks at it', async t => {
  const result = textResult<{ id: number, tags: string[] }>({ id: '1', tags: '["a"]' })
  t.equal(await Promise.resolve(result), result, 'which a promise does not do')
  t.equal(textOfResult(result)?.join(''), '{"id":1,"tags":["a"]}')
  t.equal(result.id, 1)
  t.same(Object.keys(result), ['id', 'tags'])
  t.ok('tags' in result)
  t.equal(JSON.stringify(result), '{"id":1,"tags":["a"]}')
})

t.test('a text may come in pieces', async t => {
  const result = textResult<{ rows: number[], more: boolean }>({ rows: ['[1,', '2', ']'], more: 'false' })
  t.equal(textOfResult(result)?.join(''), '{"rows":[1,2],"more":false}')
  t.same(result.rows, [1, 2])
  t.equal(textOfResult(textResult({}))?.join(''), '{}')
})

t.test('what was made of it is what is sent', async t => {
  const result = textResult<{ id?: number, tags: string[], more?: boolean }>({ id: '1', tags: '["a"]' })
  result.tags.push('b')
  result.more = true
  delete result.id
  t.equal(textOfResult(result), undefined, 'the text says something else')
  t.equal(JSON.stringify(result), '{"tags":["a","b"],"more":true}')
})

t.test('other values have no such text', async t => {
  for (const value of [undefined, null, 1, 'text', {}, []]) t.equal(textOfResult(value), undefined)
})
