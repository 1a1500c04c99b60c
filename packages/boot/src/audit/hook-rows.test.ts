import t from 'tap'
import { hookRows } from './hook-rows.js'

t.test('conditions by the token are read from a hook', async t => {
  const own = { rows: { ownerId: '$user.id' } }
  const assign = 'ctx.query.where = { and: [ctx.query.where ?? {}, { ownerId: userId }] }'
  for (const text of [
    'async ctx => { ctx.query.where = { ...ctx.query.where, ownerId: ctx.options.accessToken.userId } }',
    'function (ctx, next) { ctx.query.where = { ownerId: ctx.options.accessToken?.userId }; next() }',
    `async ctx => { const userId = ctx.options.accessToken.userId; ${assign} }`,
    `async ctx => { const { userId } = ctx.options.accessToken; ${assign} }`,
    `async ctx => { const { userId: userId } = ctx.options['accessToken']; ${assign} }`,
    'async access (ctx) { ctx.query = { where: { "ownerId": ctx.options.accessToken.userId } } }'
  ]) t.strictSame(hookRows(text), own, text)
  t.strictSame(hookRows('ctx => { ctx.query.where = { by: ctx.options.accessToken.userId, app: ctx.options.accessToken.appId } }'),
    { rows: { by: '$user.id', app: '$client.id' } })
})

t.test('what cannot be read is said, and other hooks are none', async t => {
  for (const text of [
    'async ctx => { narrow(ctx.query, ctx.options.accessToken) }',
    'async ctx => { const token = ctx.options.accessToken; ctx.query.where = { ownerId: token.userId } }',
    'ctx => { ctx.query.where = { or: [{ ownerId: ctx.options.accessToken.userId }, { open: true }] } }',
    'ctx => { log({ user: ctx.options.accessToken.userId }) }',
    'ctx => { accessToken ( }'
  ]) t.equal(hookRows(text), 'unread', text)
  t.equal(hookRows('async ctx => { ctx.query.where = { done: false } }'), undefined)
})
