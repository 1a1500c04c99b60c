import t from 'tap'
import { loadExpress } from './load.js'

const notFound = (what: string) => () => {
  throw Object.assign(new Error(`Cannot find module '${what}'\nRequire stack:\n- /app/load.js`), { code: 'MODULE_NOT_FOUND' })
}

t.test('Express is the installed one; without it the error says what to install', async t => {
  t.type(loadExpress().request, 'object')
  t.throws(() => loadExpress(notFound('express')), {
    code: 'FBK_REST_EXPRESS_MISSING',
    message: /npm install express@4/
  })
})

t.test('what goes wrong inside Express stays what it is', async t => {
  t.throws(() => loadExpress(notFound('qs')), { code: 'MODULE_NOT_FOUND' })
})
